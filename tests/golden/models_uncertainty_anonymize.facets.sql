-- facet: a subset and what is known of it
SELECT
  m.mask AS mask,
  m.top AS top,
  p.place AS place,
  r.c_0_1 AS c_0_1,
  r.c_0_2 AS c_0_2,
  r.c_0_3 AS c_0_3,
  r.c_1_1 AS c_1_1,
  r.c_1_2 AS c_1_2,
  r.c_1_3 AS c_1_3
FROM mask AS m
JOIN (
  SELECT
    f.top AS place,
    f.mask AS bit
  FROM mask AS f
  WHERE
    f.size = 1
) AS p
  ON m.mask % (
    2 * p.bit
  ) >= p.bit
JOIN mask AS r
  ON r.mask = m.mask - p.bit;
