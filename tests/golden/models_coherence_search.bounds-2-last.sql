-- bound_2: the private items that could still be inferred
SELECT
  c.id AS id,
  c.support AS support,
  c.parent AS parent,
  c.item_2 AS last,
  a.item AS item,
  LEAST(a.hits, b.hits) AS hits
FROM counted_2 AS c
JOIN link_1 AS a
  ON a.id = c.parent
JOIN link_1 AS b
  ON b.id = c.sibling AND b.item = a.item
WHERE
  c.support >= 20 AND LEAST(a.hits, b.hits) * 5 > 2 * c.support;
