-- check_held: which transaction holds which item, in numbers
SELECT
  t.tid AS tid,
  i.item AS item,
  i.private AS private
FROM cells AS c
JOIN check_item AS i
  ON i.name = c.name
JOIN check_key AS t
  ON t.key = c.key;
