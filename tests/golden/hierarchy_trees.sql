-- given
-- given_hierarchy: each row is a leaf with the labels above it, as given
SELECT DISTINCT
  CAST("sku" AS TEXT) AS name,
  CAST("level1" AS TEXT) AS level1,
  CAST("level2" AS TEXT) AS level2
FROM tree;

-- even
-- given_hierarchy: each row is an item with its labels in an even tree of fan-out 5
SELECT
  CAST(e.name AS TEXT) AS name,
  '[' || CASE
    WHEN MIN(e.item) OVER (PARTITION BY e.at1) + 1 < 10
    THEN '00'
    WHEN MIN(e.item) OVER (PARTITION BY e.at1) + 1 < 100
    THEN '0'
    ELSE ''
  END || CAST(MIN(e.item) OVER (PARTITION BY e.at1) + 1 AS TEXT) || '..' || CASE
    WHEN MAX(e.item) OVER (PARTITION BY e.at1) + 1 < 10
    THEN '00'
    WHEN MAX(e.item) OVER (PARTITION BY e.at1) + 1 < 100
    THEN '0'
    ELSE ''
  END || CAST(MAX(e.item) OVER (PARTITION BY e.at1) + 1 AS TEXT) || ']' AS level1,
  '[' || CASE
    WHEN MIN(e.item) OVER (PARTITION BY e.at2) + 1 < 10
    THEN '00'
    WHEN MIN(e.item) OVER (PARTITION BY e.at2) + 1 < 100
    THEN '0'
    ELSE ''
  END || CAST(MIN(e.item) OVER (PARTITION BY e.at2) + 1 AS TEXT) || '..' || CASE
    WHEN MAX(e.item) OVER (PARTITION BY e.at2) + 1 < 10
    THEN '00'
    WHEN MAX(e.item) OVER (PARTITION BY e.at2) + 1 < 100
    THEN '0'
    ELSE ''
  END || CAST(MAX(e.item) OVER (PARTITION BY e.at2) + 1 AS TEXT) || ']' AS level2
FROM (
  SELECT
    e.item AS item,
    e.name AS name,
    e.at0 AS at0,
    e.at1 AS at1,
    e.at1 * 5 // 24 AS at2
  FROM (
    SELECT
      e.item AS item,
      e.name AS name,
      e.at0 AS at0,
      e.at0 * 24 // 120 AS at1
    FROM (
      SELECT
        i.item AS item,
        i.name AS name,
        CAST(i.item AS BIGINT) AS at0
      FROM item AS i
    ) AS e
  ) AS e
) AS e;

-- faults
-- faults: lists faults of the hierarchy: every item needs a name and exactly one path
SELECT
  r.fault AS fault,
  r.name AS name,
  r.first AS first,
  r.last AS last,
  r.found AS found
FROM (
  SELECT
    f.fault AS fault,
    f.name AS name,
    f.first AS first,
    f.last AS last,
    COUNT(*) OVER (PARTITION BY f.fault) AS found,
    ROW_NUMBER() OVER (PARTITION BY f.fault ORDER BY f.name, f.first) AS place
  FROM (
    SELECT
      'nameless' AS fault,
      g.name AS name,
      '' || COALESCE(g.level1, '') || COALESCE(' > ' || g.level2, '') AS first,
      '' || COALESCE(g.level1, '') || COALESCE(' > ' || g.level2, '') AS last
    FROM given_hierarchy AS g
    WHERE
      g.name IS NULL
    UNION ALL
    SELECT
      'twice' AS fault,
      g.name AS name,
      MIN('' || COALESCE(g.level1, '') || COALESCE(' > ' || g.level2, '')) AS first,
      MAX('' || COALESCE(g.level1, '') || COALESCE(' > ' || g.level2, '')) AS last
    FROM given_hierarchy AS g
    WHERE
      NOT g.name IS NULL
    GROUP BY
      g.name
    HAVING
      COUNT(*) > 1
    UNION ALL
    SELECT
      'orphan' AS fault,
      g.name AS name,
      '' || COALESCE(g.level1, '') || COALESCE(' > ' || g.level2, '') AS first,
      '' || COALESCE(g.level1, '') || COALESCE(' > ' || g.level2, '') AS last
    FROM given_hierarchy AS g
    WHERE
      NOT g.name IS NULL AND g.level1 IS NULL AND g.level2 IS NULL
    UNION ALL
    SELECT
      'lacking' AS fault,
      CAST(i.name AS TEXT) AS name,
      '' AS first,
      '' AS last
    FROM item AS i
    WHERE
      NOT EXISTS(
        SELECT
          1 AS one
        FROM given_hierarchy AS g
        WHERE
          g.name = CAST(i.name AS TEXT)
      )
  ) AS f
) AS r
WHERE
  r.place <= 5
ORDER BY
  fault,
  place;

-- named_leaves
-- named_leaves: lists the leaves, to suggest names for an item that the hierarchy lacks
SELECT DISTINCT
  g.name AS name
FROM given_hierarchy AS g
WHERE
  NOT g.name IS NULL
ORDER BY
  name;

-- faults-no-levels
-- faults: lists faults of the hierarchy: every item needs a name and exactly one path
SELECT
  r.fault AS fault,
  r.name AS name,
  r.first AS first,
  r.last AS last,
  r.found AS found
FROM (
  SELECT
    f.fault AS fault,
    f.name AS name,
    f.first AS first,
    f.last AS last,
    COUNT(*) OVER (PARTITION BY f.fault) AS found,
    ROW_NUMBER() OVER (PARTITION BY f.fault ORDER BY f.name, f.first) AS place
  FROM (
    SELECT
      'nameless' AS fault,
      g.name AS name,
      '' AS first,
      '' AS last
    FROM given_hierarchy AS g
    WHERE
      g.name IS NULL
    UNION ALL
    SELECT
      'twice' AS fault,
      g.name AS name,
      MIN('') AS first,
      MAX('') AS last
    FROM given_hierarchy AS g
    WHERE
      NOT g.name IS NULL
    GROUP BY
      g.name
    HAVING
      COUNT(*) > 1
    UNION ALL
    SELECT
      'orphan' AS fault,
      g.name AS name,
      '' AS first,
      '' AS last
    FROM given_hierarchy AS g
    WHERE
      NOT g.name IS NULL AND FALSE
    UNION ALL
    SELECT
      'lacking' AS fault,
      CAST(i.name AS TEXT) AS name,
      '' AS first,
      '' AS last
    FROM item AS i
    WHERE
      NOT EXISTS(
        SELECT
          1 AS one
        FROM given_hierarchy AS g
        WHERE
          g.name = CAST(i.name AS TEXT)
      )
  ) AS f
) AS r
WHERE
  r.place <= 5
ORDER BY
  fault,
  place;

-- leaves
-- leaf: each row is a leaf; leaves that occur in the data have the numbers of their items
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY CASE WHEN i.item IS NULL THEN 1 ELSE 0 END, i.item, g.name) - 1 AS INT) AS leaf,
  g.name AS name
FROM given_hierarchy AS g
LEFT JOIN item AS i
  ON CAST(i.name AS TEXT) = g.name;

-- lineage
-- lineage: each row is a leaf and a node above it, with the next node above that
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

-- named_nodes
-- named_node: each row is a node: a level and a label, since labels repeat across levels
SELECT
  l.leaf AS node,
  0 AS level,
  l.name AS label,
  1 AS leaves
FROM leaf AS l
UNION ALL
SELECT
  CAST(every.leaves + ROW_NUMBER() OVER (ORDER BY n.level, n.label) - 1 AS INT) AS node,
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
) AS n
CROSS JOIN (
  SELECT
    COUNT(*) AS leaves
  FROM leaf AS l
) AS every;

-- strays
-- strays: lists nodes with two parents: every node must have one
SELECT
  s.level AS level,
  s.label AS label,
  s.low AS low,
  s.high AS high,
  s.first AS first,
  s.last AS last,
  COUNT(*) OVER () AS found
FROM (
  SELECT
    a.level AS level,
    a.label AS label,
    MIN(a.above) AS low,
    MAX(a.above) AS high,
    MIN(a.above_label) AS first,
    MAX(a.above_label) AS last
  FROM lineage AS a
  WHERE
    NOT a.above IS NULL
  GROUP BY
    a.level,
    a.label
  HAVING
    MIN(a.above) < MAX(a.above) OR MIN(a.above_label) < MAX(a.above_label)
) AS s
ORDER BY
  level,
  label
LIMIT 5;

-- nodes
-- node: each row is a node of the hierarchy with its parent; leaves counts the leaves below it
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

-- paths
-- path: each row is an item and a node above it, to which it can be generalized
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

-- names
-- names: lists the names of all items, for which a hierarchy is to be written
SELECT
  CAST(i.name AS TEXT) AS name
FROM item AS i
ORDER BY
  i.item;

-- sizes
-- sizes: counts the nodes of each level
SELECT
  n.level AS level,
  COUNT(*) AS nodes
FROM node AS n
GROUP BY
  n.level
ORDER BY
  level;
