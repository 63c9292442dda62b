-- occurrence: transactions are sets: duplicates are one
SELECT DISTINCT
  b.tid AS tid,
  l.item AS item
FROM cells AS c
JOIN basket AS b
  ON b.key = c.key
JOIN label AS l
  ON l.name = c.name
ORDER BY
  tid,
  item;
