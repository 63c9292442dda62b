-- itemsets_lost_most_2: the patterns that suffered most
SELECT
  o.support AS before,
  CAST(NULL AS BIGINT) AS after,
  i1.label AS item_1,
  i2.label AS item_2
FROM run.main.frequent_2 AS o
JOIN matched_item AS i1
  ON i1.item = o.item_1
JOIN matched_item AS i2
  ON i2.item = o.item_2
WHERE
  (
    o.support - COALESCE(NULL, 0)
  ) > 0
ORDER BY
  o.support - COALESCE(NULL, 0) DESC,
  o.item_1,
  o.item_2
LIMIT 10;
