-- check_reached_2: who holds 2 items that tell a secret
SELECT
  n.parent AS parent,
  n.item AS item,
  h.tid AS tid
FROM (
  SELECT DISTINCT
    w.parent AS parent,
    w.item AS item
  FROM check_witness_2 AS w
) AS n
JOIN (
  SELECT
    h.item AS id,
    h.tid AS tid
  FROM check_held AS h
) AS c
  ON c.id = n.parent
JOIN check_held AS h
  ON h.place = c.tid * 2654435761 + n.item;
