-- recoded: what each occurrence was generalized to
SELECT
  o.tid AS tid,
  o.item AS item,
  MIN(n.node) AS node
FROM occurrence AS o
JOIN path AS p
  ON p.item = o.item
JOIN published_node AS n
  ON n.tid = o.tid AND n.node = p.node
GROUP BY
  o.tid,
  o.item;
