-- itemsets_lost_most_1: the patterns that suffered most
SELECT
  o.support AS before,
  CAST(r.support AS BIGINT) AS after,
  i1.label AS item_1
FROM run.main.frequent_1 AS o
LEFT JOIN frequent_1 AS r
  ON r.item_1 = o.item_1
JOIN matched_item AS i1
  ON i1.item = o.item_1
WHERE
  (
    o.support - COALESCE(r.support, 0)
  ) > 0
ORDER BY
  o.support - COALESCE(r.support, 0) DESC,
  o.item_1
LIMIT 10;
