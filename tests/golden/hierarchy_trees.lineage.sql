-- lineage: the nodes above every leaf
SELECT
  l.leaf AS leaf,
  0 AS level,
  g.name AS label,
  CASE WHEN NOT g.level1 IS NULL THEN 1 WHEN NOT g.level2 IS NULL THEN 2 ELSE 3 END AS above,
  COALESCE(g.level1, g.level2, '*') AS above_label
FROM given_hierarchy AS g
JOIN leaf AS l
  ON l.name = g.name
UNION ALL
SELECT
  l.leaf AS leaf,
  1 AS level,
  g.level1 AS label,
  CASE WHEN NOT g.level2 IS NULL THEN 2 ELSE 3 END AS above,
  COALESCE(g.level2, '*') AS above_label
FROM given_hierarchy AS g
JOIN leaf AS l
  ON l.name = g.name
WHERE
  NOT g.level1 IS NULL
UNION ALL
SELECT
  l.leaf AS leaf,
  2 AS level,
  g.level2 AS label,
  3 AS above,
  '*' AS above_label
FROM given_hierarchy AS g
JOIN leaf AS l
  ON l.name = g.name
WHERE
  NOT g.level2 IS NULL
UNION ALL
SELECT
  l.leaf AS leaf,
  3 AS level,
  '*' AS label,
  CAST(NULL AS INT) AS above,
  CAST(NULL AS TEXT) AS above_label
FROM leaf AS l;
