-- released
-- check_released: what is published of whom
SELECT DISTINCT
  CAST(c.key AS TEXT) AS key,
  CAST(c.name AS TEXT) AS name,
  CAST(c.level AS INT) AS level
FROM (
  SELECT
    r."basket no" AS key,
    r."sku" AS name,
    r."level" AS level
  FROM release AS r
) AS c
WHERE
  NOT c.name IS NULL;

-- original
-- check_original: what was there
SELECT DISTINCT
  CAST(c.key AS TEXT) AS key,
  CAST(c.name AS TEXT) AS name
FROM (
  SELECT
    r."basket no" AS key,
    r."sku" AS name,
    r."level" AS level
  FROM release AS r
) AS c
WHERE
  NOT c.name IS NULL AND NOT c.key IS NULL;

-- ancestors
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

-- matches
-- check_match: what stands for what
SELECT
  o.key AS key,
  o.name AS name,
  r.level AS level,
  r.name AS label
FROM check_original AS o
JOIN check_ancestor AS a
  ON a.name = o.name
JOIN check_released AS r
  ON r.key = o.key AND r.level = a.level AND r.name = a.label;

-- uncovered
-- check_uncovered: nothing is left out
SELECT
  o.name AS name,
  COUNT(*) AS cells,
  CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS found
FROM check_original AS o
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM check_match AS m
    WHERE
      m.key = o.key AND m.name = o.name
  )
GROUP BY
  o.name
ORDER BY
  cells DESC,
  name
LIMIT 5;

-- unfounded
-- check_unfounded: nothing is made up
SELECT
  r.level AS level,
  r.name AS name,
  COUNT(*) AS cells,
  CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS found
FROM check_released AS r
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM check_match AS m
    WHERE
      m.key = r.key AND m.level = r.level AND m.label = r.name
  )
GROUP BY
  r.level,
  r.name
ORDER BY
  cells DESC,
  level,
  name
LIMIT 5;
