-- node: the tree
SELECT
  n.node AS node,
  n.level AS level,
  n.label AS label,
  p.node AS parent,
  n.leaves AS leaves
FROM named_node AS n
LEFT JOIN (
  SELECT DISTINCT
    a.level AS level,
    a.label AS label,
    a.above AS above,
    a.above_label AS above_label
  FROM lineage AS a
) AS a
  ON a.level = n.level AND a.label = n.label
LEFT JOIN named_node AS p
  ON p.level = a.above AND p.label = a.above_label
ORDER BY
  node;
