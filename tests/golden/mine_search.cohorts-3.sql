-- found_cohort_3: who holds each itemset
SELECT
  f.id AS id,
  a.id * 5000 + a.spot % 5000 AS spot,
  b.last AS last
FROM found_cohort_2 AS a
JOIN found_cohort_2 AS b
  ON b.spot = a.spot AND b.last > a.last
JOIN (
  SELECT
    f.id AS id,
    p.id * 1000 + f.item_3 AS met
  FROM found_3 AS f
  JOIN found_2 AS p
    ON p.item_1 = f.item_1 AND p.item_2 = f.item_2
) AS f
  ON f.met = a.id * 1000 + b.last;
