-- found_cohort_1: no itemset has an item that is not frequent
SELECT
  f.id AS id,
  CAST(o.tid AS BIGINT) AS spot,
  o.item AS last
FROM occurrence AS o
JOIN found_1 AS f
  ON f.id = o.item
ORDER BY
  spot,
  last;
