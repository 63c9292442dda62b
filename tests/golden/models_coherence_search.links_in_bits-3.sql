-- link_3: exact where it matters, a bound elsewhere
SELECT
  b.id AS id,
  b.item AS item,
  COALESCE(e.hits, b.hits) AS hits
FROM bound_3 AS b
LEFT JOIN exact_3 AS e
  ON e.id = b.id AND e.item = b.item;
