-- setveil VERSION: the checker of k-anonymity (k = 3) as one query.
-- Promise: every transaction has k - 1 twins with the same nodes of public items.
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
), check_key AS (
  SELECT
    CAST(ROW_NUMBER() OVER (ORDER BY c.key) - 1 AS INT) AS tid,
    c.key AS key
  FROM (
    SELECT DISTINCT
      r.key AS key
    FROM check_given AS r
    WHERE
      NOT r.key IS NULL
  ) AS c
), check_node AS (
  SELECT
    CAST(ROW_NUMBER() OVER (ORDER BY n.level, n.label) AS INT) AS node,
    n.level AS level,
    n.label AS label
  FROM (
    SELECT DISTINCT
      COALESCE(CAST(0 AS INT), -1) AS level,
      CAST(r.name AS TEXT) AS label
    FROM check_given AS r
    WHERE
      NOT r.name IS NULL
  ) AS n
), check_held AS (
  SELECT DISTINCT
    k.tid AS tid,
    n.node AS node
  FROM check_given AS r
  JOIN check_key AS k
    ON k.key = r.key
  JOIN check_node AS n
    ON n.label = CAST(r.name AS TEXT) AND n.level = COALESCE(CAST(0 AS INT), -1)
), check_twin_1 AS (
  SELECT
    s.tid AS tid,
    s.size AS size,
    MIN(s.tid) OVER (PARTITION BY s.nodes) AS first
  FROM (
    SELECT
      k.tid AS tid,
      COUNT(h.node) AS size,
      LISTAGG(CAST(h.node AS TEXT), ' '
      ORDER BY
        h.node) AS nodes
    FROM check_key AS k
    LEFT JOIN check_held AS h
      ON h.tid = k.tid
    GROUP BY
      k.tid
  ) AS s
), check_class AS (
  SELECT
    t.first AS first,
    t.size AS size,
    COUNT(*) AS transactions
  FROM check_twin_1 AS t
  GROUP BY
    t.first,
    t.size
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
    'a class has fewer than k' AS fault,
    CAST(v.items AS TEXT) AS items,
    CAST(v.transactions AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(NULL AS TEXT) AS reveals,
    CAST(NULL AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      c.transactions AS transactions,
      LISTAGG(c.label, ', '
      ORDER BY
        c.label) AS items
    FROM (
      SELECT
        w.place AS place,
        w.transactions AS transactions,
        w.size AS size,
        w.level AS level,
        w.label AS label
      FROM (
        SELECT
          v.place AS place,
          v.transactions AS transactions,
          v.size AS size,
          n.level AS level,
          n.label AS label,
          ROW_NUMBER() OVER (PARTITION BY v.place ORDER BY n.level, n.label) AS number
        FROM (
          SELECT
            c.first AS first,
            c.size AS size,
            c.transactions AS transactions,
            ROW_NUMBER() OVER (ORDER BY c.transactions, c.size, c.first) AS place
          FROM check_class AS c
          WHERE
            c.transactions < 3
        ) AS v
        LEFT JOIN check_held AS h
          ON h.tid = v.first
        LEFT JOIN check_node AS n
          ON n.node = h.node
      ) AS w
    ) AS c
    GROUP BY
      c.place,
      c.transactions
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
