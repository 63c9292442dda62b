-- itemsets_kept_3: what a miner would still find
SELECT
  COUNT(*) AS kept
FROM run.main.frequent_3 AS o
JOIN frequent_3 AS r
  ON r.item_1 = o.item_1 AND r.item_2 = o.item_2 AND r.item_3 = o.item_3;
