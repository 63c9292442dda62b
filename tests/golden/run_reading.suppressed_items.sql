-- suppressed: what the release leaves out
SELECT
  o.tid AS tid,
  o.item AS item,
  1 AS round
FROM occurrence AS o
JOIN suppressed_item AS s
  ON s.item = o.item;
