-- setveil VERSION: the checker of permutation (degree = 3) as one query.
-- Promise: at most one in N transactions of a group holds any one sensitive item, and which
-- ones do is not published.
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
), check_grouped AS (
  SELECT
    CAST(m.key AS TEXT) AS key,
    m.number AS number
  FROM (
    SELECT
      r."tid" AS key,
      CAST(r."group" AS TEXT) AS number
    FROM "shop" AS r
  ) AS m
), check_counted AS (
  SELECT
    CAST(r."group" AS TEXT) AS number,
    r."item" AS name,
    CAST(r."count" AS BIGINT) AS held
  FROM "shop_sensitive" AS r
), check_listed_sensitive AS (
  SELECT DISTINCT
    CAST(l.item AS TEXT) AS label
  FROM (VALUES
    ('milk')) AS l(item)
  WHERE
    NOT l.item IS NULL
), check_member AS (
  SELECT DISTINCT
    g.key AS key,
    g.number AS number
  FROM check_grouped AS g
), check_size AS (
  SELECT
    m.number AS number,
    COUNT(*) AS size
  FROM check_member AS m
  WHERE
    NOT m.number IS NULL AND NOT m.key IS NULL
  GROUP BY
    m.number
), check_count AS (
  SELECT
    c.number AS number,
    CAST(c.name AS TEXT) AS name,
    CAST(SUM(c.held) AS BIGINT) AS held,
    MIN(COALESCE(c.held, 0)) AS least
  FROM check_counted AS c
  GROUP BY
    c.number,
    CAST(c.name AS TEXT)
), check_fault AS (
  SELECT
    1 AS kind,
    c.number AS number,
    c.name AS name,
    COALESCE(c.held, 0) AS held,
    COALESCE(s.size, 0) AS size
  FROM check_count AS c
  LEFT JOIN check_size AS s
    ON s.number = c.number
  WHERE
    c.least < 1 OR c.name IS NULL OR c.held * 3 > COALESCE(s.size, 0)
  UNION ALL
  SELECT
    2 AS kind,
    CAST(NULL AS TEXT) AS number,
    o.name AS name,
    o.held AS held,
    o.held AS size
  FROM (
    SELECT
      l.label AS name,
      COUNT(DISTINCT r.key) AS held
    FROM check_given AS r
    JOIN check_listed_sensitive AS l
      ON l.label = CAST(r.name AS TEXT)
    GROUP BY
      l.label
  ) AS o
  UNION ALL
  SELECT
    3 AS kind,
    CAST(NULL AS TEXT) AS number,
    CAST(NULL AS TEXT) AS name,
    t.groups AS held,
    t.groups AS size
  FROM (
    SELECT
      m.key AS key,
      COUNT(m.number) AS groups,
      COUNT(*) AS stated
    FROM check_member AS m
    GROUP BY
      m.key
  ) AS t
  WHERE
    t.groups <> 1 OR t.stated <> 1 OR t.key IS NULL
), check_label AS (
  SELECT
    r.name AS label
  FROM check_given AS r
  WHERE
    NOT r.name IS NULL
  UNION
  SELECT
    c.name AS label
  FROM check_count AS c
  WHERE
    NOT c.name IS NULL
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
    0 AS place,
    'the release holds no item of the list sensitive' AS fault,
    CAST(NULL AS TEXT) AS items,
    CAST(NULL AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(NULL AS TEXT) AS reveals,
    CAST(NULL AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      COUNT(*) AS n
    FROM check_label AS i
    JOIN check_listed_sensitive AS l
      ON l.label = i.label
    HAVING
      COUNT(*) = 0
  ) AS v
  UNION ALL
  SELECT
    1 AS place,
    'too many of a group hold the item' AS fault,
    CAST('group ' || v.number AS TEXT) AS items,
    CAST(v.size AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(v.name AS TEXT) AS reveals,
    CAST(v.held AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      f.number AS number,
      f.name AS name,
      f.held AS held,
      f.size AS size
    FROM check_fault AS f
    WHERE
      f.kind = 1
  ) AS v
  UNION ALL
  SELECT
    1 AS place,
    'the sensitive item is published in transactions' AS fault,
    CAST(v.name AS TEXT) AS items,
    CAST(v.held AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(NULL AS TEXT) AS reveals,
    CAST(NULL AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      f.number AS number,
      f.name AS name,
      f.held AS held,
      f.size AS size
    FROM check_fault AS f
    WHERE
      f.kind = 2
  ) AS v
  UNION ALL
  SELECT
    1 AS place,
    'the transaction is in no group, or in several' AS fault,
    CAST(v.name AS TEXT) AS items,
    CAST(v.held AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(NULL AS TEXT) AS reveals,
    CAST(NULL AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      f.number AS number,
      f.name AS name,
      f.held AS held,
      f.size AS size
    FROM check_fault AS f
    WHERE
      f.kind = 3
  ) AS v
  UNION ALL
  SELECT
    1 AS place,
    'a group has several transactions of a person' AS fault,
    CAST('group ' || v.number AS TEXT) AS items,
    CAST(v.held AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(NULL AS TEXT) AS reveals,
    CAST(NULL AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      f.number AS number,
      f.name AS name,
      f.held AS held,
      f.size AS size
    FROM check_fault AS f
    WHERE
      f.kind = 4
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
