-- frequent_member: the items of all that is frequent
SELECT
  f.id * 64 + 1 AS itemset,
  f.item_1 AS item
FROM frequent_1 AS f
UNION ALL
SELECT
  f.id * 64 + 2 AS itemset,
  f.item_1 AS item
FROM frequent_2 AS f
UNION ALL
SELECT
  f.id * 64 + 2 AS itemset,
  f.item_2 AS item
FROM frequent_2 AS f;
