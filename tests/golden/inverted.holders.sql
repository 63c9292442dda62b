SELECT
  c.id AS id,
  o.tid AS tid
FROM occurrence AS o
JOIN counted_1 AS c
  ON c.id = o.item
WHERE
  c.support >= 20;
