-- frequent_itemset: all that is frequent
SELECT
  item AS itemset,
  1 AS size,
  support
FROM item
WHERE
  FALSE;
