-- named_node: a node is a level and a label, since labels repeat
SELECT
  l.leaf AS node,
  0 AS level,
  l.name AS label,
  1 AS leaves
FROM leaf AS l
UNION ALL
SELECT
  CAST(169 + ROW_NUMBER() OVER (ORDER BY n.level, n.label) - 1 AS INT) AS node,
  n.level AS level,
  n.label AS label,
  n.leaves AS leaves
FROM (
  SELECT
    a.level AS level,
    a.label AS label,
    CAST(COUNT(*) AS INT) AS leaves
  FROM lineage AS a
  WHERE
    a.level > 0
  GROUP BY
    a.level,
    a.label
) AS n;
