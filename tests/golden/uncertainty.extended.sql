-- extended: transactions with one occurrence more
SELECT
  s.tid AS tid,
  s.back AS back,
  COUNT(*) AS held,
  ROW_NUMBER() OVER (ORDER BY s.tid, s.back) AS number,
  COUNT(CASE WHEN s.code <= 40 THEN 1 END) AS known,
  MAX(CASE WHEN s.code = s.back THEN s.place END) AS back_place,
  MAX(CASE WHEN s.place = 1 THEN s.code ELSE 0 END) AS p_1,
  MAX(CASE WHEN s.place = 2 THEN s.code ELSE 0 END) AS p_2,
  MAX(CASE WHEN s.place = 3 THEN s.code ELSE 0 END) AS p_3
FROM (
  SELECT
    r.tid AS tid,
    r.back AS back,
    r.code AS code,
    ROW_NUMBER() OVER (PARTITION BY r.tid, r.back ORDER BY r.code) AS place
  FROM (
    SELECT
      l.tid AS tid,
      l.code AS back,
      l.code AS code
    FROM lost_0 AS l
    UNION ALL
    SELECT
      l.tid AS tid,
      l.code AS back,
      w.code AS code
    FROM lost_0 AS l
    JOIN watched AS w
      ON w.tid = l.tid
    WHERE
      NOT EXISTS(
        SELECT
          1
        FROM lost_0 AS g
        WHERE
          g.tid = w.tid AND g.code = w.code
      )
  ) AS r
) AS s
GROUP BY
  s.tid,
  s.back
HAVING
  COUNT(*) <= 3;
