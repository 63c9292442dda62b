-- itemsets_lost_most_3: the patterns that suffered most
SELECT
  o.support AS before,
  CAST(r.support AS BIGINT) AS after,
  i1.label AS item_1,
  i2.label AS item_2,
  i3.label AS item_3
FROM run.main.frequent_3 AS o
LEFT JOIN frequent_3 AS r
  ON r.item_1 = o.item_1 AND r.item_2 = o.item_2 AND r.item_3 = o.item_3
JOIN matched_item AS i1
  ON i1.item = o.item_1
JOIN matched_item AS i2
  ON i2.item = o.item_2
JOIN matched_item AS i3
  ON i3.item = o.item_3
WHERE
  (
    o.support - COALESCE(r.support, 0)
  ) > 0
ORDER BY
  o.support - COALESCE(r.support, 0) DESC,
  o.item_1,
  o.item_2,
  o.item_3
LIMIT 10;
