-- disclosed: what was to be hidden, and is found nevertheless
SELECT
  CAST(SUM(l.itemsets) AS BIGINT) AS itemsets
FROM (
  SELECT
    COUNT(*) AS itemsets
  FROM run.main.frequent_1 AS o
  JOIN frequent_1 AS r
    ON r.item_1 = o.item_1
  JOIN frequent_restrictive AS x
    ON x.itemset = r.id * 64 + 1
  UNION ALL
  SELECT
    COUNT(*) AS itemsets
  FROM run.main.frequent_2 AS o
  JOIN frequent_2 AS r
    ON r.item_1 = o.item_1 AND r.item_2 = o.item_2
  JOIN frequent_restrictive AS x
    ON x.itemset = r.id * 64 + 2
) AS l;
