-- found_cohort_2: who holds each itemset
SELECT
  f.id AS id,
  a.id * 5000 + a.spot % 5000 AS spot,
  b.last AS last
FROM found_cohort_1 AS a
JOIN found_cohort_1 AS b
  ON b.spot = a.spot AND b.last > a.last
JOIN (
  SELECT
    f.id AS id,
    p.id * 1000 + f.item_2 AS met
  FROM found_2 AS f
  JOIN found_1 AS p
    ON p.item_1 = f.item_1
) AS f
  ON f.met = a.id * 1000 + b.last;
