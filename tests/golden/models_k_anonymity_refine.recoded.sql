-- recoded: each occurrence at the node that was left to it
SELECT
  o.tid AS tid,
  o.item AS item,
  COALESCE(b.node, o.item) AS node
FROM occurrence AS o
LEFT JOIN settled AS s
  ON s.tid = o.tid AND s.item = o.item
LEFT JOIN branch AS b
  ON b.branch = s.branch;
