-- check_ancestor: what may stand for an item
SELECT
  g.name AS name,
  0 AS level,
  g.name AS label
FROM given_hierarchy AS g
UNION ALL
SELECT
  g.name AS name,
  1 AS level,
  g.level1 AS label
FROM given_hierarchy AS g
WHERE
  NOT g.level1 IS NULL
UNION ALL
SELECT
  g.name AS name,
  2 AS level,
  g.level2 AS label
FROM given_hierarchy AS g
WHERE
  NOT g.level2 IS NULL
UNION ALL
SELECT
  g.name AS name,
  3 AS level,
  '*' AS label
FROM given_hierarchy AS g;
