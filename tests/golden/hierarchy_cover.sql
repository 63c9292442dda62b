-- released
-- check_released: each row is a node that the release publishes for a transaction
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
-- check_original: each row is an occurrence of the original: a transaction and an item
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
-- check_ancestor: each row is an item and a node that may be published in its place
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
-- check_match: each row is an original occurrence and a published node that covers it
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
-- check_uncovered: lists items that the release does not cover in some transaction: there must be none
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

-- uncovered-suppressed
-- check_uncovered: lists items that the release does not cover in some transaction: there must be none
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
  AND EXISTS(
    SELECT
      1 AS one
    FROM check_ancestor AS a
    JOIN check_released AS r
      ON r.level = a.level AND r.name = a.label
    WHERE
      a.name = o.name
  )
GROUP BY
  o.name
ORDER BY
  cells DESC,
  name
LIMIT 5;

-- suppressed
-- check_suppressed: counts the items that the release suppresses
SELECT
  COUNT(DISTINCT o.name) AS items
FROM check_original AS o
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM check_ancestor AS a
    JOIN check_released AS r
      ON r.level = a.level AND r.name = a.label
    WHERE
      a.name = o.name
  );

-- unfounded
-- check_unfounded: lists nodes that the release publishes for no original item: there must be none
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
