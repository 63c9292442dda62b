-- found_3: support, from the lists
SELECT
  ROW_NUMBER() OVER (ORDER BY m.met) AS id,
  m.support AS support,
  p.item_1 AS item_1,
  p.item_2 AS item_2,
  CAST(m.met % 1000 AS INT) AS item_3
FROM (
  SELECT
    a.id * 1000 + b.last AS met,
    COUNT(*) AS support
  FROM found_cohort_2 AS a
  JOIN found_cohort_2 AS b
    ON b.spot = a.spot AND b.last > a.last
  GROUP BY
    a.id * 1000 + b.last
  HAVING
    COUNT(*) >= 20
) AS m
JOIN found_2 AS p
  ON p.id = CAST((
    m.met - m.met % 1000
  ) / 1000 AS BIGINT)
ORDER BY
  id;
