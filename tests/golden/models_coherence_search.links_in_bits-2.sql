-- link_2: exact where it matters, a bound elsewhere
SELECT
  b.id AS id,
  b.item AS item,
  COALESCE(e.hits, b.hits) AS hits
FROM bound_2 AS b
LEFT JOIN exact_2 AS e
  ON e.id = b.id AND e.item = b.item;
