-- frequent_itemset: all that is frequent
SELECT
  f.id * 64 + 1 AS itemset,
  1 AS size,
  f.support AS support
FROM frequent_1 AS f
UNION ALL
SELECT
  f.id * 64 + 2 AS itemset,
  2 AS size,
  f.support AS support
FROM frequent_2 AS f;
