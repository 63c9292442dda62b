-- recoded: items below a closed branch are published as that
SELECT
  o.tid AS tid,
  o.item AS item,
  COALESCE(g.node, o.item) AS node
FROM occurrence AS o
LEFT JOIN (
  SELECT
    c.tid AS tid,
    d.item AS item,
    b.node AS node
  FROM closed AS c
  JOIN occurrence AS u
    ON u.tid = c.tid
  JOIN descent AS d
    ON d.item = u.item AND d.branch = c.branch
  JOIN branch AS b
    ON b.branch = c.branch
) AS g
  ON g.tid = o.tid AND g.item = o.item;
