-- member: a subset and what is in it
SELECT
  m.mask AS mask,
  m.top AS top,
  m.size AS size,
  p.place AS place,
  m.c_0_1 AS c_0_1,
  m.c_0_2 AS c_0_2,
  m.c_0_3 AS c_0_3,
  m.c_1_1 AS c_1_1,
  m.c_1_2 AS c_1_2,
  m.c_1_3 AS c_1_3
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
  ) >= p.bit;
