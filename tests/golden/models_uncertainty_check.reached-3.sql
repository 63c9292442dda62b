-- check_reached_3: who holds 3 items that tell a secret
SELECT
  n.parent AS parent,
  n.item AS item,
  h.tid AS tid
FROM (
  SELECT DISTINCT
    w.parent AS parent,
    w.item AS item
  FROM check_witness_3 AS w
) AS n
JOIN (
  SELECT
    s.id AS id,
    r.tid AS tid
  FROM check_reached_2 AS r
  JOIN check_set_2 AS s
    ON s.parent = r.parent AND s.item = r.item
) AS c
  ON c.id = n.parent
JOIN check_held AS h
  ON h.place = c.tid * 2654435761 + n.item;
