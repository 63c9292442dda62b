-- mined_common: an itemset of the release that the original has not is an artifact
SELECT
  1 AS size,
  COUNT(*) AS itemsets
FROM frequent_1 AS b
JOIN refound_1 AS a
  ON a.item_1 = b.item_1
UNION ALL
SELECT
  2 AS size,
  COUNT(*) AS itemsets
FROM frequent_2 AS b
JOIN refound_2 AS a
  ON a.item_1 = b.item_1 AND a.item_2 = b.item_2;
