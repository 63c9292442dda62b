-- setveil VERSION: the checker of k^m-anonymity (k = 3, m = 2) as one query.
-- Promise: any set of up to m published nodes is held by at least k transactions or by none.
-- Its dialect is duckdb: for another database add --dialect.
-- It returns a row per violation. No row: the release keeps the promise.
WITH check_given AS (
  SELECT
    CAST(r.key AS TEXT) AS key,
    CAST(r.name AS TEXT) AS name
  FROM (
    SELECT
      r."tid" AS key,
      r."item" AS name
    FROM "shop" AS r
  ) AS r
), check_node AS (
  SELECT
    CAST(DENSE_RANK() OVER (ORDER BY d.level, d.name) - 1 AS BIGINT) AS node,
    d.level AS level,
    d.name AS name
  FROM (
    SELECT DISTINCT
      CAST(0 AS INT) AS level,
      CAST(c.name AS TEXT) AS name
    FROM check_given AS c
    WHERE
      NOT c.name IS NULL
  ) AS d
), check_transaction AS (
  SELECT
    ROW_NUMBER() OVER (ORDER BY d.key) AS tid,
    d.key AS key
  FROM (
    SELECT DISTINCT
      c.key AS key
    FROM check_given AS c
    WHERE
      NOT c.key IS NULL
  ) AS d
), check_held AS (
  SELECT DISTINCT
    t.tid AS tid,
    n.node AS node
  FROM check_given AS c
  JOIN check_transaction AS t
    ON t.key = c.key
  JOIN check_node AS n
    ON n.level = CAST(0 AS INT) AND n.name = CAST(c.name AS TEXT)
), check_set_1 AS (
  SELECT
    h1.node AS n1,
    COUNT(*) AS support
  FROM check_held AS h1
  GROUP BY
    h1.node
), check_set_2 AS (
  SELECT
    h1.node AS n1,
    h2.node AS n2,
    COUNT(*) AS support
  FROM check_held AS h1
  JOIN check_held AS h2
    ON h2.tid = h1.tid AND h2.node > h1.node
  GROUP BY
    h1.node,
    h2.node
), check_violation AS (
  SELECT
    0 AS place,
    'the release is empty' AS fault,
    CAST(NULL AS TEXT) AS items,
    CAST(NULL AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(NULL AS TEXT) AS reveals,
    CAST(NULL AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      COUNT(*) AS n
    FROM check_given AS g
    WHERE
      NOT g.key IS NULL
    HAVING
      COUNT(*) = 0
  ) AS v
  UNION ALL
  SELECT
    0 AS place,
    'rows without transaction id' AS fault,
    CAST(NULL AS TEXT) AS items,
    CAST(v.n AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(NULL AS TEXT) AS reveals,
    CAST(NULL AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      COUNT(*) AS n
    FROM (
      SELECT
        1 AS one
      FROM check_given AS g
      WHERE
        g.key IS NULL
    ) AS r
    HAVING
      COUNT(*) > 0
  ) AS v
  UNION ALL
  SELECT
    0 AS place,
    'rows without item' AS fault,
    CAST(NULL AS TEXT) AS items,
    CAST(v.n AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(NULL AS TEXT) AS reveals,
    CAST(NULL AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      COUNT(*) AS n
    FROM (
      SELECT
        1 AS one
      FROM check_given AS g
      WHERE
        g.name IS NULL
    ) AS r
    HAVING
      COUNT(*) > 0
  ) AS v
  UNION ALL
  SELECT
    0 AS place,
    'the column of items holds lists: ask for the query with --lists' AS fault,
    CAST(NULL AS TEXT) AS items,
    CAST(NULL AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(NULL AS TEXT) AS reveals,
    CAST(NULL AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      f.kind AS kind
    FROM (
      SELECT
        TYPEOF(r."item") AS kind
      FROM "shop" AS r
      LIMIT 1
    ) AS f
    WHERE
      f.kind LIKE '%]' OR f.kind LIKE 'array<%'
  ) AS v
  UNION ALL
  SELECT
    1 AS place,
    'fewer than k hold these items' AS fault,
    CAST(v.name1 AS TEXT) AS items,
    CAST(v.support AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(NULL AS TEXT) AS reveals,
    CAST(NULL AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      s.support AS support,
      c1.level AS level1,
      c1.name AS name1
    FROM check_set_1 AS s
    JOIN check_node AS c1
      ON c1.node = s.n1
    WHERE
      s.support < 3
  ) AS v
  UNION ALL
  SELECT
    2 AS place,
    'fewer than k hold these items' AS fault,
    CAST(v.name1 || ', ' || v.name2 AS TEXT) AS items,
    CAST(v.support AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(NULL AS TEXT) AS reveals,
    CAST(NULL AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      s.support AS support,
      c1.level AS level1,
      c1.name AS name1,
      c2.level AS level2,
      c2.name AS name2
    FROM check_set_2 AS s
    JOIN check_node AS c1
      ON c1.node = s.n1
    JOIN check_node AS c2
      ON c2.node = s.n2
    WHERE
      s.support < 3
  ) AS v
)
SELECT
  f.fault AS fault,
  f.items AS items,
  f.transactions AS transactions,
  f.persons AS persons,
  f.reveals AS reveals,
  f.revealed_transactions AS revealed_transactions,
  f.revealed_persons AS revealed_persons,
  CAST(COUNT(*) OVER () AS BIGINT) AS total
FROM (
  SELECT
    n.place AS place,
    n.fault AS fault,
    n.items AS items,
    n.transactions AS transactions,
    n.persons AS persons,
    n.reveals AS reveals,
    n.revealed_transactions AS revealed_transactions,
    n.revealed_persons AS revealed_persons,
    MIN(n.place) OVER () AS least
  FROM check_violation AS n
) AS f
WHERE
  f.place = f.least
ORDER BY
  fault,
  persons,
  transactions,
  items,
  reveals
