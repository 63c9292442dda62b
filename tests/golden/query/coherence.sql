-- setveil VERSION: the checker of (h,k,p)-coherence (h = 0.6, k = 3, p = 2) as one query.
-- Promise: any set of up to p public items is held by at least k transactions or by none; no
-- private item is in more than a share h of those.
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
), check_listed_private AS (
  SELECT DISTINCT
    CAST(l.item AS TEXT) AS label
  FROM (VALUES
    ('milk')) AS l(item)
  WHERE
    NOT l.item IS NULL
), check_role AS (
  SELECT DISTINCT
    g.name AS label,
    0 AS private
  FROM check_given AS g
  WHERE
    NOT g.name IS NULL
    AND NOT EXISTS(
      SELECT
        1 AS one
      FROM check_listed_private AS s
      WHERE
        s.label = g.name
    )
  UNION ALL
  SELECT
    s.label AS label,
    1 AS private
  FROM check_listed_private AS s
), check_name AS (
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
), check_item_present AS (
  SELECT DISTINCT
    r.name AS name,
    CAST(r.name AS TEXT) AS label
  FROM check_given AS r
  WHERE
    NOT r.name IS NULL
), check_item AS (
  SELECT
    CAST(DENSE_RANK() OVER (ORDER BY n.label) - 1 AS INT) AS item,
    n.name AS name,
    n.label AS label,
    r.private AS private
  FROM check_item_present AS n
  JOIN check_role AS r
    ON r.label = n.label
), check_held AS (
  SELECT
    t.tid AS tid,
    i.item AS item,
    i.private AS private
  FROM check_given AS c
  JOIN check_item AS i
    ON i.name = c.name
  JOIN check_key AS t
    ON t.key = c.key
), check_word AS (
  SELECT
    h.item AS item,
    CAST(h.tid AS INT) AS word_no,
    CAST(1 AS SMALLINT) AS bits
  FROM check_held AS h
  WHERE
    h.private = 0
  GROUP BY
    h.item,
    CAST(h.tid AS INT)
), check_secret AS (
  SELECT
    h.item AS item,
    CAST(h.tid AS INT) AS word_no,
    CAST(1 AS SMALLINT) AS bits
  FROM check_held AS h
  WHERE
    h.private = 1
  GROUP BY
    h.item,
    CAST(h.tid AS INT)
), check_set_0 AS (
  SELECT
    0 AS id,
    0 AS parent,
    -1 AS item,
    COUNT(*) AS support
  FROM check_key
  HAVING
    COUNT(*) > 0
), check_suspect_0 AS (
  SELECT
    0 AS id,
    x.item AS secret,
    x.number AS hits
  FROM (
    SELECT
      r.item AS item,
      CAST(SUM(BIT_COUNT(r.bits)) AS BIGINT) AS number
    FROM check_secret AS r
    WHERE
      r.bits <> 0
    GROUP BY
      r.item
  ) AS x
  WHERE
    x.number * 5 > 9
), check_fine_0 AS (
  SELECT
    t.id AS id,
    t.parent AS parent,
    t.item AS item
  FROM check_set_0 AS t
  WHERE
    t.support >= 3
    AND NOT EXISTS(
      SELECT
        1 AS one
      FROM check_suspect_0 AS suspect
      WHERE
        suspect.id = t.id AND suspect.hits * 5 > 3 * t.support
    )
), check_set_1_pair AS (
  SELECT
    r.pair AS pair,
    CAST(SUM(BIT_COUNT(r.bits)) AS BIGINT) AS number
  FROM (
    SELECT
      w.item AS pair,
      w.word_no AS word_no,
      w.bits AS bits
    FROM check_word AS w
  ) AS r
  WHERE
    r.bits <> 0
  GROUP BY
    r.pair
), check_set_1_apart AS (
  SELECT
    p.pair // 2654435761 AS id,
    p.pair % 2654435761 AS item,
    p.number AS number
  FROM check_set_1_pair AS p
), check_set_1_whole AS (
  SELECT
    id AS parent,
    item AS item,
    number AS support
  FROM check_set_1_apart AS apart
), check_set_1 AS (
  SELECT
    ROW_NUMBER() OVER (ORDER BY w.parent, w.item) - 1 AS id,
    w.parent AS parent,
    w.item AS item,
    w.support AS support
  FROM check_set_1_whole AS w
), check_suspect_1_pair AS (
  SELECT
    r.pair AS pair,
    CAST(SUM(BIT_COUNT(r.bits)) AS BIGINT) AS number
  FROM (
    SELECT
      cohort.id * 2654435761 + secret.item AS pair,
      cohort.word_no AS word_no,
      cohort.bits & secret.bits AS bits
    FROM (
      SELECT
        t.id AS id,
        t.item AS item,
        added.word_no AS word_no,
        added.bits AS bits
      FROM (
        SELECT
          t.id AS id,
          t.parent AS parent,
          t.item AS item
        FROM check_set_1 AS t
        WHERE
          t.support >= 3
      ) AS t
      JOIN check_word AS added
        ON added.item = t.item
    ) AS cohort
    JOIN check_secret AS secret
      ON secret.word_no = cohort.word_no
  ) AS r
  WHERE
    r.bits <> 0
  GROUP BY
    r.pair
), check_suspect_1_apart AS (
  SELECT
    p.pair // 2654435761 AS id,
    p.pair % 2654435761 AS item,
    p.number AS number
  FROM check_suspect_1_pair AS p
), check_suspect_1 AS (
  SELECT
    p.id AS id,
    p.item AS secret,
    p.number AS hits
  FROM check_suspect_1_apart AS p
  WHERE
    p.number * 5 > 9
), check_fine_1 AS (
  SELECT
    t.id AS id,
    t.parent AS parent,
    t.item AS item
  FROM check_set_1 AS t
  WHERE
    t.support >= 3
    AND NOT EXISTS(
      SELECT
        1 AS one
      FROM check_suspect_1 AS suspect
      WHERE
        suspect.id = t.id AND suspect.hits * 5 > 3 * t.support
    )
), check_cohort_1 AS (
  SELECT
    w.id AS id,
    w.item AS item,
    w.word_no AS word_no,
    w.bits AS bits
  FROM (
    SELECT
      t.id AS id,
      t.item AS item,
      added.word_no AS word_no,
      added.bits AS bits
    FROM check_fine_1 AS t
    JOIN check_word AS added
      ON added.item = t.item
  ) AS w
  WHERE
    w.bits <> 0
  ORDER BY
    word_no,
    item
), check_set_2_pair AS (
  SELECT
    r.pair AS pair,
    CAST(SUM(BIT_COUNT(r.bits)) AS BIGINT) AS number
  FROM (
    SELECT
      cohort.id * 2654435761 + added.item AS pair,
      cohort.word_no AS word_no,
      cohort.bits & added.bits AS bits
    FROM check_cohort_1 AS cohort
    JOIN check_cohort_1 AS added
      ON added.word_no = cohort.word_no AND added.item > cohort.item
  ) AS r
  WHERE
    r.bits <> 0
  GROUP BY
    r.pair
), check_set_2_apart AS (
  SELECT
    p.pair // 2654435761 AS id,
    p.pair % 2654435761 AS item,
    p.number AS number
  FROM check_set_2_pair AS p
), check_set_2_whole AS (
  SELECT
    id AS parent,
    item AS item,
    number AS support
  FROM check_set_2_apart AS apart
), check_set_2 AS (
  SELECT
    ROW_NUMBER() OVER (ORDER BY w.parent, w.item) - 1 AS id,
    w.parent AS parent,
    w.item AS item,
    w.support AS support
  FROM check_set_2_whole AS w
), check_suspect_2_pair AS (
  SELECT
    r.pair AS pair,
    CAST(SUM(BIT_COUNT(r.bits)) AS BIGINT) AS number
  FROM (
    SELECT
      cohort.id * 2654435761 + secret.item AS pair,
      cohort.word_no AS word_no,
      cohort.bits & secret.bits AS bits
    FROM (
      SELECT
        t.id AS id,
        t.item AS item,
        cohort.word_no AS word_no,
        cohort.bits & added.bits AS bits
      FROM (
        SELECT
          t.id AS id,
          t.parent AS parent,
          t.item AS item
        FROM check_set_2 AS t
        WHERE
          t.support >= 3
      ) AS t
      JOIN check_cohort_1 AS cohort
        ON cohort.id = t.parent
      JOIN check_cohort_1 AS added
        ON added.item = t.item AND added.word_no = cohort.word_no
    ) AS cohort
    JOIN check_secret AS secret
      ON secret.word_no = cohort.word_no
  ) AS r
  WHERE
    r.bits <> 0
  GROUP BY
    r.pair
), check_suspect_2_apart AS (
  SELECT
    p.pair // 2654435761 AS id,
    p.pair % 2654435761 AS item,
    p.number AS number
  FROM check_suspect_2_pair AS p
), check_suspect_2 AS (
  SELECT
    p.id AS id,
    p.item AS secret,
    p.number AS hits
  FROM check_suspect_2_apart AS p
  WHERE
    p.number * 5 > 9
), check_fine_2 AS (
  SELECT
    t.id AS id,
    t.parent AS parent,
    t.item AS item
  FROM check_set_2 AS t
  WHERE
    t.support >= 3
    AND NOT EXISTS(
      SELECT
        1 AS one
      FROM check_suspect_2 AS suspect
      WHERE
        suspect.id = t.id AND suspect.hits * 5 > 3 * t.support
    )
), check_violation_name AS (
  SELECT
    i.item AS item,
    MIN(i.label) AS label
  FROM check_item AS i
  GROUP BY
    i.item
), check_violation_violation AS (
  SELECT
    t.id AS id,
    t.parent AS parent,
    t.item AS item,
    t.support AS support
  FROM check_set_0 AS t
  WHERE
    NOT EXISTS(
      SELECT
        1 AS one
      FROM check_fine_0 AS f
      WHERE
        f.id = t.id
    )
), check_violation_breached AS (
  SELECT
    s.id AS id,
    s.secret AS secret,
    s.hits AS hits,
    ROW_NUMBER() OVER (PARTITION BY s.id ORDER BY s.hits DESC, s.secret) AS place
  FROM check_violation_violation AS v
  JOIN check_suspect_0 AS s
    ON s.id = v.id
  WHERE
    s.hits * 5 > 3 * v.support
), check_violation_name_2 AS (
  SELECT
    i.item AS item,
    MIN(i.label) AS label
  FROM check_item AS i
  GROUP BY
    i.item
), check_violation_violation_2 AS (
  SELECT
    t.id AS id,
    t.parent AS parent,
    t.item AS item,
    t.support AS support
  FROM check_set_1 AS t
  WHERE
    NOT EXISTS(
      SELECT
        1 AS one
      FROM check_fine_1 AS f
      WHERE
        f.id = t.id
    )
), check_violation_breached_2 AS (
  SELECT
    s.id AS id,
    s.secret AS secret,
    s.hits AS hits,
    ROW_NUMBER() OVER (PARTITION BY s.id ORDER BY s.hits DESC, s.secret) AS place
  FROM check_violation_violation_2 AS v
  JOIN check_suspect_1 AS s
    ON s.id = v.id
  WHERE
    s.hits * 5 > 3 * v.support
), check_violation_name_3 AS (
  SELECT
    i.item AS item,
    MIN(i.label) AS label
  FROM check_item AS i
  GROUP BY
    i.item
), check_violation_violation_3 AS (
  SELECT
    t.id AS id,
    t.parent AS parent,
    t.item AS item,
    t.support AS support
  FROM check_set_2 AS t
  WHERE
    NOT EXISTS(
      SELECT
        1 AS one
      FROM check_fine_2 AS f
      WHERE
        f.id = t.id
    )
), check_violation_breached_3 AS (
  SELECT
    s.id AS id,
    s.secret AS secret,
    s.hits AS hits,
    ROW_NUMBER() OVER (PARTITION BY s.id ORDER BY s.hits DESC, s.secret) AS place
  FROM check_violation_violation_3 AS v
  JOIN check_suspect_2 AS s
    ON s.id = v.id
  WHERE
    s.hits * 5 > 3 * v.support
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
    'the release holds no item of the list private' AS fault,
    CAST(NULL AS TEXT) AS items,
    CAST(NULL AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(NULL AS TEXT) AS reveals,
    CAST(NULL AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      COUNT(*) AS n
    FROM check_name AS i
    JOIN check_listed_private AS l
      ON l.label = i.label
    HAVING
      COUNT(*) = 0
  ) AS v
  UNION ALL
  SELECT
    1 AS place,
    CASE
      WHEN v.support < 3
      THEN 'the release has fewer than k'
      ELSE 'an item is too frequent'
    END AS fault,
    CAST(NULL AS TEXT) AS items,
    CAST(v.support AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(v.secret AS TEXT) AS reveals,
    CAST(v.hits AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      v.support AS support,
      b.hits AS hits,
      x.label AS secret
    FROM check_violation_violation AS v
    LEFT JOIN check_violation_breached AS b
      ON b.id = v.id AND b.place = 1
    LEFT JOIN check_violation_name AS x
      ON x.item = b.secret
  ) AS v
  UNION ALL
  SELECT
    2 AS place,
    CASE
      WHEN v.support < 3
      THEN 'fewer than k hold these items'
      ELSE 'these items reveal an item'
    END AS fault,
    CAST(v.item_1 AS TEXT) AS items,
    CAST(v.support AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(v.secret AS TEXT) AS reveals,
    CAST(v.hits AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      v.support AS support,
      b.hits AS hits,
      x.label AS secret,
      n1.label AS item_1
    FROM check_violation_violation_2 AS v
    LEFT JOIN check_violation_breached_2 AS b
      ON b.id = v.id AND b.place = 1
    LEFT JOIN check_violation_name_2 AS x
      ON x.item = b.secret
    JOIN check_violation_name_2 AS n1
      ON n1.item = v.item
  ) AS v
  UNION ALL
  SELECT
    2 AS place,
    CASE
      WHEN v.support < 3
      THEN 'fewer than k hold these items'
      ELSE 'these items reveal an item'
    END AS fault,
    CAST(v.item_1 || ', ' || v.item_2 AS TEXT) AS items,
    CAST(v.support AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(v.secret AS TEXT) AS reveals,
    CAST(v.hits AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      v.support AS support,
      b.hits AS hits,
      x.label AS secret,
      n1.label AS item_1,
      n2.label AS item_2
    FROM check_violation_violation_3 AS v
    LEFT JOIN check_violation_breached_3 AS b
      ON b.id = v.id AND b.place = 1
    LEFT JOIN check_violation_name_3 AS x
      ON x.item = b.secret
    JOIN check_fine_1 AS f1
      ON f1.id = v.parent
    JOIN check_violation_name_3 AS n2
      ON n2.item = v.item
    JOIN check_violation_name_3 AS n1
      ON n1.item = f1.item
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
