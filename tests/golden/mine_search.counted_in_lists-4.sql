-- found_4: support, from the lists
SELECT
  ROW_NUMBER() OVER (ORDER BY m.met) AS id,
  m.support AS support,
  p.item_1 AS item_1,
  p.item_2 AS item_2,
  p.item_3 AS item_3,
  CAST(m.met % 1000 AS INT) AS item_4
FROM (
  SELECT
    a.id * 1000 + b.last AS met,
    COUNT(*) AS support
  FROM found_cohort_3 AS a
  JOIN found_cohort_3 AS b
    ON b.spot = a.spot AND b.last > a.last
  GROUP BY
    a.id * 1000 + b.last
  HAVING
    COUNT(*) >= 20
) AS m
JOIN found_3 AS p
  ON p.id = CAST((
    m.met - m.met % 1000
  ) / 1000 AS BIGINT)
ORDER BY
  id;
