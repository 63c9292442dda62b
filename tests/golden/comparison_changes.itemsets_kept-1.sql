-- itemsets_kept_1: what a miner would still find
SELECT
  COUNT(*) AS kept
FROM run.main.frequent_1 AS o
JOIN frequent_1 AS r
  ON r.item_1 = o.item_1;
