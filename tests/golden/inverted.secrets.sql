-- secret: what an attacker wants to infer
SELECT
  o.tid AS tid,
  o.item AS item
FROM occurrence AS o
JOIN private_item AS r
  ON r.item = o.item;
