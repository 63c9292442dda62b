-- cell_1: everything generalized to the root
SELECT
  o.tid AS tid,
  o.item AS item,
  0 AS part,
  d.branch AS branch
FROM occurrence AS o
JOIN descent AS d
  ON d.item = o.item
WHERE
  d.up IS NULL;
