-- setveil VERSION: the checker of rho-uncertainty (rho = 0.4, max_knowledge = 2) as one query.
-- Promise: among transactions that contain any given set of items, at most a share rho
-- contain any one further sensitive item.
-- Its dialect is duckdb: for another database add --dialect.
-- It returns a row per violation. No row: the release keeps the promise.
-- Not proven: rules of more than 2 known items.
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
), check_listed_sensitive AS (
  SELECT DISTINCT
    CAST(l.item AS TEXT) AS label
  FROM (VALUES
    ('milk')) AS l(item)
  WHERE
    NOT l.item IS NULL
), check_label AS (
  SELECT DISTINCT
    CAST(l.name AS TEXT) AS label
  FROM check_given AS l
  WHERE
    NOT l.name IS NULL
), check_key AS (
  SELECT
    ROW_NUMBER() OVER (ORDER BY c.key) - 1 AS tid,
    c.key AS key
  FROM (
    SELECT DISTINCT
      r.key AS key
    FROM check_given AS r
    WHERE
      NOT r.key IS NULL
  ) AS c
), check_name AS (
  SELECT
    DENSE_RANK() OVER (ORDER BY n.label) - 1 AS number,
    n.name AS name,
    n.label AS label
  FROM (
    SELECT DISTINCT
      r.name AS name,
      CAST(r.name AS TEXT) AS label
    FROM check_given AS r
    WHERE
      NOT r.name IS NULL
  ) AS n
), check_pair AS (
  SELECT DISTINCT
    t.tid * 2654435761 + n.number AS pair
  FROM check_given AS c
  JOIN check_name AS n
    ON n.name = c.name
  JOIN check_key AS t
    ON t.key = c.key
), check_item AS (
  SELECT
    CAST(ROW_NUMBER() OVER (ORDER BY s.support, s.number) - 1 AS INT) AS item,
    s.number AS number,
    s.support AS support,
    n.label AS label,
    CASE
      WHEN EXISTS(
        SELECT
          1 AS one
        FROM check_listed_sensitive AS r
        WHERE
          r.label = n.label
      )
      THEN 1
      ELSE 0
    END AS sensitive
  FROM (
    SELECT
      p.pair % 2654435761 AS number,
      COUNT(*) AS support
    FROM check_pair AS p
    GROUP BY
      p.pair % 2654435761
  ) AS s
  JOIN (
    SELECT DISTINCT
      number AS number,
      label AS label
    FROM check_name
  ) AS n
    ON n.number = s.number
), check_held AS (
  SELECT
    h.tid AS tid,
    i.item AS item,
    h.tid * 2654435761 + i.item AS place,
    b.size AS size,
    b.bits AS bits
  FROM (
    SELECT
      p.pair // 2654435761 AS tid,
      p.pair % 2654435761 AS number
    FROM check_pair AS p
  ) AS h
  JOIN check_item AS i
    ON i.number = h.number
  JOIN (
    SELECT
      p.pair // 2654435761 AS tid,
      COUNT(*) AS size,
      BIT_OR(CAST(1 AS BIGINT) << CAST((
        p.pair % 2654435761
      ) % 62 AS INT)) AS bits
    FROM check_pair AS p
    GROUP BY
      p.pair // 2654435761
  ) AS b
    ON b.tid = h.tid
  ORDER BY
    tid,
    item
), check_secret AS (
  SELECT
    h.tid AS tid,
    h.item AS item,
    h.place AS place,
    h.size AS size
  FROM check_held AS h
  JOIN check_item AS i
    ON i.item = h.item
  WHERE
    i.sensitive = 1 AND h.size > 1
), check_told AS (
  SELECT
    h.tid AS tid,
    h.item AS item,
    ROW_NUMBER() OVER (PARTITION BY h.tid ORDER BY h.item DESC) - 1 AS rest
  FROM check_held AS h
  WHERE
    EXISTS(
      SELECT
        1 AS one
      FROM check_secret AS s
      WHERE
        s.tid = h.tid
    )
), check_set_1 AS (
  SELECT
    i.item AS id,
    0 AS parent,
    i.item AS item,
    i.support AS support
  FROM check_item AS i
), check_witness_1 AS (
  SELECT
    0 AS parent,
    t.item AS item,
    s.item AS secret,
    t.tid AS tid,
    t.rest AS rest
  FROM check_told AS t
  JOIN check_secret AS s
    ON s.tid = t.tid AND s.item <> t.item
), check_whole_one AS (
  SELECT
    s.place AS place,
    s.tid AS tid,
    s.item AS secret,
    s.size AS size,
    MIN(t.item) AS rarest,
    BIT_OR(CAST(1 AS BIGINT) << CAST(i.number % 62 AS INT)) AS bits
  FROM check_secret AS s
  JOIN check_told AS t
    ON t.tid = s.tid AND t.item <> s.item
  JOIN check_item AS i
    ON i.item = t.item
  WHERE
    s.size > 2
  GROUP BY
    s.place,
    s.tid,
    s.item,
    s.size
), check_whole AS (
  SELECT
    ROW_NUMBER() OVER (ORDER BY o.place) - 1 AS whole,
    o.tid AS tid,
    o.secret AS secret,
    o.size - 1 AS known,
    o.rarest AS rarest,
    o.bits AS bits,
    CASE
      WHEN r.support <= (
        CAST(64 AS BIGINT) << CAST(LEAST(o.size, 32) AS INT)
      )
      THEN 1
      ELSE 1
    END AS step
  FROM check_whole_one AS o
  JOIN check_item AS r
    ON r.item = o.rarest
  WHERE
    r.support <= (
      CAST(64 AS BIGINT) << CAST(LEAST(o.size, 32) AS INT)
    ) OR FALSE
), check_match_candidate AS (
  SELECT
    w.whole AS whole,
    w.tid AS tid,
    w.secret AS secret,
    w.known AS known,
    w.rarest AS rarest,
    x.tid AS other,
    x.size AS size
  FROM check_whole AS w
  JOIN check_held AS x
    ON x.item = w.rarest
  WHERE
    w.step = 1
    AND x.tid <> w.tid
    AND x.size >= w.known
    AND (
      x.bits & w.bits
    ) = w.bits
), check_match AS (
  SELECT
    f.pair // 2654435761 AS whole,
    f.pair % 2654435761 AS other,
    f.size AS size
  FROM (
    SELECT
      c.whole * 2654435761 + c.other AS pair,
      c.size AS size
    FROM check_match_candidate AS c
    JOIN check_told AS t
      ON t.tid = c.tid AND t.item > c.rarest AND t.item <> c.secret
    JOIN check_held AS h
      ON h.place = c.other * 2654435761 + t.item
    GROUP BY
      c.whole * 2654435761 + c.other,
      c.size,
      c.known
    HAVING
      COUNT(*) = c.known - 1
  ) AS f
), check_cover AS (
  SELECT
    w.tid AS tid,
    w.secret AS secret,
    w.known AS known,
    w.step AS step,
    COUNT(m.other) - COUNT(e.place) AS covers,
    COUNT(e.place) + 1 AS support,
    COUNT(CASE WHEN m.other < w.tid AND m.size = w.known + 1 THEN e.place END) AS repeats
  FROM check_whole AS w
  LEFT JOIN check_match AS m
    ON m.whole = w.whole
  LEFT JOIN check_secret AS e
    ON e.place = m.other * 2654435761 + w.secret
  GROUP BY
    w.tid,
    w.secret,
    w.known,
    w.step
), check_growing_1_witness AS (
  SELECT
    w.item AS item,
    w.secret AS secret,
    w.tid AS tid,
    COALESCE(c.covers, 0) AS covers
  FROM check_witness_1 AS w
  LEFT JOIN check_cover AS c
    ON c.tid = w.tid AND c.secret = w.secret
), check_growing_1_doubtful AS (
  SELECT DISTINCT
    p.item AS item,
    p.secret AS secret
  FROM (
    SELECT
      w.item AS item,
      w.secret AS secret,
      w.covers AS covers,
      ROW_NUMBER() OVER (PARTITION BY w.item, w.secret ORDER BY w.covers) AS place
    FROM check_growing_1_witness AS w
  ) AS p
  WHERE
    p.place * 3 > p.covers * 2
), check_growing_1 AS (
  SELECT
    w.item AS id,
    w.secret AS secret,
    w.item AS item,
    w.tid AS tid,
    w.rest AS rest
  FROM check_witness_1 AS w
  JOIN check_growing_1_doubtful AS d
    ON d.item = w.item AND d.secret = w.secret
  WHERE
    w.rest > 0
), check_witness_2_larger AS (
  SELECT
    g.id AS parent,
    t.item AS item,
    g.secret AS secret,
    g.tid AS tid,
    t.rest AS rest
  FROM check_growing_1 AS g
  JOIN check_told AS t
    ON t.tid = g.tid AND t.item > g.item AND t.item <> g.secret
), check_witness_2_witness AS (
  SELECT
    w.parent AS parent,
    w.item AS item,
    w.secret AS secret,
    w.tid AS tid,
    COALESCE(c.covers, 0) AS covers
  FROM check_witness_2_larger AS w
  LEFT JOIN check_cover AS c
    ON c.tid = w.tid AND c.secret = w.secret
), check_witness_2_doubtful AS (
  SELECT DISTINCT
    p.parent AS parent,
    p.item AS item,
    p.secret AS secret
  FROM (
    SELECT
      w.parent AS parent,
      w.item AS item,
      w.secret AS secret,
      w.covers AS covers,
      ROW_NUMBER() OVER (PARTITION BY w.parent, w.item, w.secret ORDER BY w.covers) AS place
    FROM check_witness_2_witness AS w
  ) AS p
  WHERE
    p.place * 3 > p.covers * 2
), check_witness_2 AS (
  SELECT
    l.parent AS parent,
    l.item AS item,
    l.secret AS secret,
    l.tid AS tid,
    l.rest AS rest
  FROM check_witness_2_larger AS l
  JOIN check_witness_2_doubtful AS d
    ON d.parent = l.parent AND d.item = l.item AND d.secret = l.secret
), check_reached_2 AS (
  SELECT
    n.parent AS parent,
    n.item AS item,
    h.tid AS tid
  FROM (
    SELECT DISTINCT
      w.parent AS parent,
      w.item AS item
    FROM check_witness_2 AS w
  ) AS n
  JOIN (
    SELECT
      h.item AS id,
      h.item AS item,
      h.tid AS tid
    FROM check_held AS h
  ) AS c
    ON c.id = n.parent
  JOIN check_held AS h
    ON h.place = c.tid * 2654435761 + n.item
), check_set_2 AS (
  SELECT
    ROW_NUMBER() OVER (ORDER BY n.parent, n.item) - 1 AS id,
    n.parent AS parent,
    n.item AS item,
    n.support AS support
  FROM (
    SELECT
      r.pair // 2654435761 AS parent,
      r.pair % 2654435761 AS item,
      COUNT(*) AS support
    FROM (
      SELECT
        d.parent * 2654435761 + d.item AS pair
      FROM check_reached_2 AS d
    ) AS r
    GROUP BY
      r.pair
  ) AS n
  JOIN check_set_1 AS s
    ON s.id = n.parent
  WHERE
    n.support < s.support
), check_violation_worst AS (
  SELECT
    ROW_NUMBER() OVER (ORDER BY r.hits * 1000000000 // r.support DESC, r.hits DESC, r.rule) AS place,
    r.rule // 2654435761 AS id,
    r.rule % 2654435761 AS secret,
    r.hits AS hits,
    r.support AS support
  FROM (
    SELECT
      s.id * 2654435761 + w.secret AS rule,
      s.support AS support,
      COUNT(*) AS hits
    FROM check_witness_1 AS w
    JOIN check_set_1 AS s
      ON s.parent = w.parent AND s.item = w.item
    GROUP BY
      s.id * 2654435761 + w.secret,
      s.support
  ) AS r
  WHERE
    r.hits * 5 > 2 * r.support
), check_violation_part_1 AS (
  SELECT
    b.place AS place,
    s.item AS item,
    s.parent AS id
  FROM check_violation_worst AS b
  JOIN check_set_1 AS s
    ON s.id = b.id
), check_violation_worst_2 AS (
  SELECT
    ROW_NUMBER() OVER (ORDER BY r.hits * 1000000000 // r.support DESC, r.hits DESC, r.rule) AS place,
    r.rule // 2654435761 AS id,
    r.rule % 2654435761 AS secret,
    r.hits AS hits,
    r.support AS support
  FROM (
    SELECT
      s.id * 2654435761 + w.secret AS rule,
      s.support AS support,
      COUNT(*) AS hits
    FROM check_witness_2 AS w
    JOIN check_set_2 AS s
      ON s.parent = w.parent AND s.item = w.item
    GROUP BY
      s.id * 2654435761 + w.secret,
      s.support
  ) AS r
  WHERE
    r.hits * 5 > 2 * r.support
), check_violation_part_2 AS (
  SELECT
    b.place AS place,
    s.item AS item,
    s.parent AS id
  FROM check_violation_worst_2 AS b
  JOIN check_set_2 AS s
    ON s.id = b.id
), check_violation_part_1_2 AS (
  SELECT
    b.place AS place,
    s.item AS item,
    s.parent AS id
  FROM check_violation_part_2 AS b
  JOIN check_set_1 AS s
    ON s.id = b.id
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
    'these items reveal an item' AS fault,
    CAST(v.items AS TEXT) AS items,
    CAST(v.support AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(v.secret AS TEXT) AS reveals,
    CAST(v.hits AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      u.hits AS hits,
      u.support AS support,
      u.secret AS secret,
      LISTAGG(u.item, ', '
      ORDER BY
        u.item) AS items
    FROM (
      SELECT
        w.place AS place,
        w.hits AS hits,
        w.support AS support,
        x.label AS secret,
        i.label AS item
      FROM check_violation_worst AS w
      JOIN (
        SELECT
          p.place AS place,
          p.item AS item
        FROM check_violation_part_1 AS p
      ) AS k
        ON k.place = w.place
      JOIN check_item AS x
        ON x.item = w.secret
      JOIN check_item AS i
        ON i.item = k.item
    ) AS u
    GROUP BY
      u.place,
      u.hits,
      u.support,
      u.secret
  ) AS v
  UNION ALL
  SELECT
    2 AS place,
    'these items reveal an item' AS fault,
    CAST(v.items AS TEXT) AS items,
    CAST(v.support AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(v.secret AS TEXT) AS reveals,
    CAST(v.hits AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      u.hits AS hits,
      u.support AS support,
      u.secret AS secret,
      LISTAGG(u.item, ', '
      ORDER BY
        u.item) AS items
    FROM (
      SELECT
        w.place AS place,
        w.hits AS hits,
        w.support AS support,
        x.label AS secret,
        i.label AS item
      FROM check_violation_worst_2 AS w
      JOIN (
        SELECT
          p.place AS place,
          p.item AS item
        FROM check_violation_part_2 AS p
        UNION ALL
        SELECT
          p.place AS place,
          p.item AS item
        FROM check_violation_part_1_2 AS p
      ) AS k
        ON k.place = w.place
      JOIN check_item AS x
        ON x.item = w.secret
      JOIN check_item AS i
        ON i.item = k.item
    ) AS u
    GROUP BY
      u.place,
      u.hits,
      u.support,
      u.secret
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
