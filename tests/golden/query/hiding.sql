-- setveil VERSION: the checker of hidden patterns (psi = 0.2) as one query.
-- Promise: each pattern is left in at most a share psi of the transactions that held it, or
-- in fewer than `--min-support`; nothing else changes.
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
), check_before AS (
  SELECT
    CAST(r.key AS TEXT) AS key,
    CAST(r.name AS TEXT) AS name
  FROM (
    SELECT
      r."tid" AS key,
      r."item" AS name
    FROM "source" AS r
  ) AS r
), check_listed AS (
  SELECT
    l.pattern AS pattern,
    CAST(l.name AS TEXT) AS name
  FROM (VALUES
    (0, 'bread'),
    (0, 'milk')) AS l(pattern, name)
), check_key AS (
  SELECT
    CAST(ROW_NUMBER() OVER (ORDER BY n.label) - 1 AS INT) AS tid,
    n.label AS label
  FROM (
    SELECT
      CAST(w.given AS TEXT) AS label
    FROM (
      SELECT DISTINCT
        o.key AS given
      FROM check_before AS o
    ) AS w
    WHERE
      NOT w.given IS NULL
    UNION
    SELECT
      CAST(i.given AS TEXT) AS label
    FROM (
      SELECT DISTINCT
        r.key AS given
      FROM check_given AS r
    ) AS i
    WHERE
      NOT i.given IS NULL
  ) AS n
), check_item AS (
  SELECT
    CAST(ROW_NUMBER() OVER (ORDER BY n.label) - 1 AS INT) AS item,
    n.label AS label
  FROM (
    SELECT
      CAST(w.given AS TEXT) AS label
    FROM (
      SELECT DISTINCT
        o.name AS given
      FROM check_before AS o
    ) AS w
    WHERE
      NOT w.given IS NULL
    UNION
    SELECT
      CAST(i.given AS TEXT) AS label
    FROM (
      SELECT DISTINCT
        r.name AS given
      FROM check_given AS r
    ) AS i
    WHERE
      NOT i.given IS NULL
  ) AS n
), check_pattern AS (
  SELECT
    l.pattern AS pattern,
    i.item AS item
  FROM check_listed AS l
  JOIN check_item AS i
    ON i.label = l.name
  WHERE
    NOT EXISTS(
      SELECT
        1 AS one
      FROM check_listed AS o
      LEFT JOIN check_item AS u
        ON u.label = o.name
      WHERE
        o.pattern = l.pattern AND u.item IS NULL
    )
), check_was_known AS (
  SELECT
    g.key AS key,
    t.tid AS tid
  FROM (
    SELECT DISTINCT
      c.key AS key
    FROM check_before AS c
  ) AS g
  JOIN check_key AS t
    ON t.label = CAST(g.key AS TEXT)
), check_was_named AS (
  SELECT
    g.name AS name,
    i.item AS item
  FROM (
    SELECT DISTINCT
      c.name AS name
    FROM check_before AS c
  ) AS g
  JOIN check_item AS i
    ON i.label = CAST(g.name AS TEXT)
), check_was AS (
  SELECT
    CAST(n.item AS BIGINT) * 2654435761 + (
      k.tid // 63
    ) AS cell,
    BIT_OR(CAST(1 AS BIGINT) << CAST(k.tid % 63 AS INT)) AS bits
  FROM check_before AS c
  JOIN check_was_known AS k
    ON k.key = c.key
  JOIN check_was_named AS n
    ON n.name = c.name
  GROUP BY
    CAST(n.item AS BIGINT) * 2654435761 + (
      k.tid // 63
    )
), check_is_known AS (
  SELECT
    g.key AS key,
    t.tid AS tid
  FROM (
    SELECT DISTINCT
      c.key AS key
    FROM check_given AS c
  ) AS g
  JOIN check_key AS t
    ON t.label = CAST(g.key AS TEXT)
), check_is_named AS (
  SELECT
    g.name AS name,
    i.item AS item
  FROM (
    SELECT DISTINCT
      c.name AS name
    FROM check_given AS c
  ) AS g
  JOIN check_item AS i
    ON i.label = CAST(g.name AS TEXT)
), check_is AS (
  SELECT
    CAST(n.item AS BIGINT) * 2654435761 + (
      k.tid // 63
    ) AS cell,
    BIT_OR(CAST(1 AS BIGINT) << CAST(k.tid % 63 AS INT)) AS bits
  FROM check_given AS c
  JOIN check_is_known AS k
    ON k.key = c.key
  JOIN check_is_named AS n
    ON n.name = c.name
  GROUP BY
    CAST(n.item AS BIGINT) * 2654435761 + (
      k.tid // 63
    )
), check_cohort AS (
  SELECT
    h.pattern AS pattern,
    h.word AS word,
    BIT_AND(h.bits) AS bits
  FROM (
    SELECT
      p.pattern AS pattern,
      w.cell % 2654435761 AS word,
      w.bits AS bits
    FROM check_pattern AS p
    JOIN check_was AS w
      ON w.cell // 2654435761 = p.item
  ) AS h
  JOIN (
    SELECT
      pattern,
      COUNT(*) AS size
    FROM check_pattern
    GROUP BY
      pattern
  ) AS n
    ON n.pattern = h.pattern
  GROUP BY
    h.pattern,
    h.word,
    n.size
  HAVING
    COUNT(*) = n.size AND BIT_AND(h.bits) <> 0
), check_left AS (
  SELECT
    h.pattern AS pattern,
    h.word AS word,
    BIT_AND(h.bits) AS bits
  FROM (
    SELECT
      p.pattern AS pattern,
      w.cell % 2654435761 AS word,
      w.bits AS bits
    FROM check_pattern AS p
    JOIN check_is AS w
      ON w.cell // 2654435761 = p.item
  ) AS h
  JOIN (
    SELECT
      pattern,
      COUNT(*) AS size
    FROM check_pattern
    GROUP BY
      pattern
  ) AS n
    ON n.pattern = h.pattern
  GROUP BY
    h.pattern,
    h.word,
    n.size
  HAVING
    COUNT(*) = n.size AND BIT_AND(h.bits) <> 0
), check_excused AS (
  SELECT
    CAST(p.item AS BIGINT) * 2654435761 + c.word AS cell,
    BIT_OR(c.bits) AS bits
  FROM check_pattern AS p
  JOIN check_cohort AS c
    ON c.pattern = p.pattern
  GROUP BY
    CAST(p.item AS BIGINT) * 2654435761 + c.word
), check_change AS (
  SELECT
    g.cell AS cell,
    0 AS added,
    BIT_COUNT(g.bits) AS removed,
    BIT_COUNT(g.bits - (
      g.bits & COALESCE(e.bits, 0)
    )) AS stray
  FROM (
    SELECT
      w.cell AS cell,
      w.bits - (
        w.bits & COALESCE(i.bits, 0)
      ) AS bits
    FROM check_was AS w
    LEFT JOIN check_is AS i
      ON i.cell = w.cell
  ) AS g
  LEFT JOIN check_excused AS e
    ON e.cell = g.cell
  WHERE
    g.bits <> 0
  UNION ALL
  SELECT
    m.cell AS cell,
    BIT_COUNT(m.bits) AS added,
    0 AS removed,
    0 AS stray
  FROM (
    SELECT
      i.cell AS cell,
      i.bits - (
        i.bits & COALESCE(w.bits, 0)
      ) AS bits
    FROM check_is AS i
    LEFT JOIN check_was AS w
      ON w.cell = i.cell
  ) AS m
  WHERE
    m.bits <> 0
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
    'the list has no pattern' AS fault,
    CAST(NULL AS TEXT) AS items,
    CAST(NULL AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(NULL AS TEXT) AS reveals,
    CAST(NULL AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      COUNT(*) AS n
    FROM check_listed AS l
    HAVING
      COUNT(*) = 0
  ) AS v
  UNION ALL
  SELECT
    1 AS place,
    'too many hold the pattern' AS fault,
    CAST(v.items AS TEXT) AS items,
    CAST(v.stays AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(NULL AS TEXT) AS reveals,
    CAST(NULL AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      s.stays AS stays,
      p.items AS items
    FROM (
      SELECT
        p.pattern AS pattern,
        COALESCE(w.support, 0) AS was,
        COALESCE(i.support, 0) AS stays
      FROM (
        SELECT DISTINCT
          pattern
        FROM check_pattern
      ) AS p
      LEFT JOIN (
        SELECT
          pattern,
          CAST(SUM(BIT_COUNT(bits)) AS BIGINT) AS support
        FROM check_cohort
        GROUP BY
          pattern
      ) AS w
        ON w.pattern = p.pattern
      LEFT JOIN (
        SELECT
          pattern,
          CAST(SUM(BIT_COUNT(bits)) AS BIGINT) AS support
        FROM check_left
        GROUP BY
          pattern
      ) AS i
        ON i.pattern = p.pattern
    ) AS s
    JOIN (
      SELECT
        l.pattern AS pattern,
        LISTAGG(l.name, ', '
        ORDER BY
          l.name) AS items
      FROM check_listed AS l
      GROUP BY
        l.pattern
    ) AS p
      ON p.pattern = s.pattern
    WHERE
      NOT (
        s.stays * 5 <= s.was
      )
  ) AS v
  UNION ALL
  SELECT
    1 AS place,
    'transactions gained the item' AS fault,
    CAST(v.label AS TEXT) AS items,
    CAST(v.n AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(NULL AS TEXT) AS reveals,
    CAST(NULL AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      t.label AS label,
      t.added AS n
    FROM (
      SELECT
        i.label AS label,
        s.added AS added,
        s.stray AS stray
      FROM (
        SELECT
          c.cell // 2654435761 AS item,
          CAST(SUM(c.added) AS BIGINT) AS added,
          CAST(SUM(c.stray) AS BIGINT) AS stray
        FROM check_change AS c
        WHERE
          c.added + c.stray > 0
        GROUP BY
          c.cell // 2654435761
      ) AS s
      JOIN check_item AS i
        ON i.item = s.item
    ) AS t
    WHERE
      t.added > 0
  ) AS v
  UNION ALL
  SELECT
    1 AS place,
    'transactions lost the item for no pattern' AS fault,
    CAST(v.label AS TEXT) AS items,
    CAST(v.n AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(NULL AS TEXT) AS reveals,
    CAST(NULL AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      t.label AS label,
      t.stray AS n
    FROM (
      SELECT
        i.label AS label,
        s.added AS added,
        s.stray AS stray
      FROM (
        SELECT
          c.cell // 2654435761 AS item,
          CAST(SUM(c.added) AS BIGINT) AS added,
          CAST(SUM(c.stray) AS BIGINT) AS stray
        FROM check_change AS c
        WHERE
          c.added + c.stray > 0
        GROUP BY
          c.cell // 2654435761
      ) AS s
      JOIN check_item AS i
        ON i.item = s.item
    ) AS t
    WHERE
      t.stray > 0
  ) AS v
  UNION ALL
  SELECT
    0 AS place,
    'neither side holds all items of the pattern' AS fault,
    CAST(v.items AS TEXT) AS items,
    CAST(NULL AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(NULL AS TEXT) AS reveals,
    CAST(NULL AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      p.pattern AS pattern,
      LISTAGG(p.name, ', '
      ORDER BY
        p.name) AS items
    FROM check_listed AS p
    WHERE
      NOT EXISTS(
        SELECT
          1 AS one
        FROM check_pattern AS k
        WHERE
          k.pattern = p.pattern
      )
    GROUP BY
      p.pattern
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
