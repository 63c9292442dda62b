-- check_secret: what an attacker could infer
SELECT
  h.tid AS tid,
  h.item AS item,
  h.place AS place,
  h.size AS size
FROM check_held AS h
JOIN check_item AS i
  ON i.item = h.item
WHERE
  i.sensitive = 1 AND h.size > 1;
