-- mined_common: an itemset of the release that the original has not is an artifact
SELECT
  0 AS size,
  COUNT(*) AS itemsets
FROM item
WHERE
  FALSE;
