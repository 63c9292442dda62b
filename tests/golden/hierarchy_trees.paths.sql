-- path: what each item can be generalized to
SELECT
  a.leaf AS item,
  n.node AS node,
  n.level AS level
FROM lineage AS a
JOIN named_node AS n
  ON n.level = a.level AND n.label = a.label
WHERE
  a.leaf < 169
ORDER BY
  item,
  level;
