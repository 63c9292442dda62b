-- after: the release in the numbers of the original
SELECT
  o.tid AS tid,
  i.item AS item
FROM occurrence AS o
JOIN matched_item AS i
  ON i.released = o.item
ORDER BY
  tid,
  item;
