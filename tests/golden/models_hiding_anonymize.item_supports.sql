-- item_supports: victims are chosen by it
SELECT
  i.item AS item,
  i.support AS support
FROM item AS i
JOIN (
  SELECT DISTINCT
    item
  FROM restricted
) AS r
  ON r.item = i.item
ORDER BY
  item;
