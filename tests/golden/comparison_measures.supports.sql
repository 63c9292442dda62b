-- supports: how the distribution of the items changed
SELECT
  i.item AS item,
  i.support AS original,
  COALESCE(r.support, 0) AS remaining
FROM item AS i
LEFT JOIN (
  SELECT
    o.item AS item,
    COUNT(*) AS support
  FROM released AS o
  GROUP BY
    o.item
) AS r
  ON r.item = i.item
ORDER BY
  item;
