-- setveil VERSION: the checker of (h,k,p)-coherence (h = 0.6, k = 3, p = 1) as one query.
-- Promise: any set of up to p public items is held by at least k different persons or by
-- nobody; no private item is in more than a share h of those transactions, or of those
-- persons; persons are those of the column 'store'.
-- Its dialect is snowflake: for another database add --dialect.
-- It returns a row per violation. No row: the release keeps the promise.
-- Not run: no query of this form was run on snowflake.
WITH check_given AS (
  SELECT
    CAST(r.key AS VARCHAR) AS key,
    CAST(r.name AS VARCHAR) AS name
  FROM (
    SELECT
      r."TID" AS key,
      r."ITEM" AS name
    FROM "SHOP" AS r
  ) AS r
), check_listed_private AS (
  SELECT DISTINCT
    CAST(l.item AS VARCHAR) AS label
  FROM (VALUES
    ('milk')) AS l(item)
  WHERE
    NOT l.item IS NULL
), check_named AS (
  SELECT
    p.key AS key,
    MIN(p.person) AS person,
    MAX(p.person) AS other,
    COUNT(*) AS cells,
    COUNT(p.person) AS named
  FROM (
    SELECT
      CAST(o."TID" AS VARCHAR) AS key,
      CAST(o."STORE" AS VARCHAR) AS person
    FROM "SHOP" AS o
  ) AS p
  WHERE
    NOT p.key IS NULL
  GROUP BY
    p.key
), check_owner AS (
  SELECT
    r.key AS key,
    o.person AS person
  FROM (
    SELECT DISTINCT
      c.key AS key
    FROM check_given AS c
    WHERE
      NOT c.key IS NULL
  ) AS r
  LEFT JOIN (
    SELECT
      n.key AS key,
      CAST(DENSE_RANK() OVER (ORDER BY n.person) - 1 AS BIGINT) AS person
    FROM check_named AS n
    WHERE
      n.named > 0
  ) AS o
    ON CAST(o.key AS VARCHAR) = CAST(r.key AS VARCHAR)
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
    CAST(l.name AS VARCHAR) AS label
  FROM check_given AS l
  WHERE
    NOT l.name IS NULL
), check_key AS (
  SELECT
    63 * (
      DENSE_RANK() OVER (ORDER BY o.person, CAST((
        o.place - o.place % 63
      ) / 63 AS BIGINT)) - 1
    ) + (
      o.place % 63
    ) AS tid,
    o.key AS key,
    o.person AS person
  FROM (
    SELECT
      r.key AS key,
      r.person AS person,
      ROW_NUMBER() OVER (PARTITION BY r.person ORDER BY r.key) - 1 AS place
    FROM check_owner AS r
  ) AS o
), check_whose AS (
  SELECT DISTINCT
    CAST((
      t.tid - t.tid % 63
    ) / 63 AS BIGINT) AS word_no,
    t.person AS person
  FROM check_key AS t
  JOIN (
    SELECT
      k.person AS person
    FROM check_key AS k
    GROUP BY
      k.person
    HAVING
      COUNT(*) > 63
  ) AS m
    ON m.person = t.person
), check_item_present AS (
  SELECT DISTINCT
    r.name AS name,
    CAST(r.name AS VARCHAR) AS label
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
    CAST(CAST((
      h.tid - h.tid % 63
    ) / 63 AS BIGINT) AS INT) AS word_no,
    BITORAGG(BITSHIFTLEFT(CAST(1 AS BIGINT), CAST(h.tid % 63 AS INT))) AS bits
  FROM check_held AS h
  WHERE
    h.private = 0
  GROUP BY
    h.item,
    CAST(CAST((
      h.tid - h.tid % 63
    ) / 63 AS BIGINT) AS INT)
), check_secret AS (
  SELECT
    h.item AS item,
    CAST(CAST((
      h.tid - h.tid % 63
    ) / 63 AS BIGINT) AS INT) AS word_no,
    BITORAGG(BITSHIFTLEFT(CAST(1 AS BIGINT), CAST(h.tid % 63 AS INT))) AS bits
  FROM check_held AS h
  WHERE
    h.private = 1
  GROUP BY
    h.item,
    CAST(CAST((
      h.tid - h.tid % 63
    ) / 63 AS BIGINT) AS INT)
), check_set_0 AS (
  SELECT
    0 AS id,
    0 AS parent,
    -1 AS item,
    COUNT(*) AS support,
    COUNT(DISTINCT person) AS persons
  FROM check_key
  HAVING
    COUNT(*) > 0
), check_suspect_0 AS (
  SELECT
    0 AS id,
    x.item AS secret,
    x.number AS hits,
    x.persons AS persons
  FROM (
    SELECT
      g.item AS item,
      CAST(SUM(g.number) AS BIGINT) AS number,
      CAST(SUM(CASE WHEN g.person IS NULL THEN g.words ELSE 1 END) AS BIGINT) AS persons
    FROM (
      SELECT
        r.item AS item,
        w.person AS person,
        SUM(
          CAST(LENGTH(
            REPLACE(
              REPLACE(
                REPLACE(
                  TRANSLATE(
                    LOWER(TO_CHAR(CAST(r.bits AS BIGINT), 'XXXXXXXXXXXXXXXX')),
                    '12483569ac7bdef0 ',
                    'aaaabbbbbbccccd'
                  ),
                  'b',
                  'aa'
                ),
                'c',
                'aaa'
              ),
              'd',
              'aaaa'
            )
          ) AS BIGINT)
        ) AS number,
        COUNT(*) AS words
      FROM check_secret AS r
      LEFT JOIN check_whose AS w
        ON w.word_no = r.word_no
      WHERE
        r.bits <> 0
      GROUP BY
        r.item,
        w.person
    ) AS g
    GROUP BY
      g.item
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
    t.persons >= 3
    AND NOT EXISTS(
      SELECT
        1 AS one
      FROM check_suspect_0 AS suspect
      WHERE
        suspect.id = t.id
        AND (
          suspect.hits * 5 > 3 * t.support OR suspect.persons * 5 > 3 * t.persons
        )
    )
), check_set_1_pair AS (
  SELECT
    g.pair AS pair,
    CAST(SUM(g.number) AS BIGINT) AS number,
    CAST(SUM(CASE WHEN g.person IS NULL THEN g.words ELSE 1 END) AS BIGINT) AS persons
  FROM (
    SELECT
      r.pair AS pair,
      w.person AS person,
      SUM(
        CAST(LENGTH(
          REPLACE(
            REPLACE(
              REPLACE(
                TRANSLATE(
                  LOWER(TO_CHAR(CAST(r.bits AS BIGINT), 'XXXXXXXXXXXXXXXX')),
                  '12483569ac7bdef0 ',
                  'aaaabbbbbbccccd'
                ),
                'b',
                'aa'
              ),
              'c',
              'aaa'
            ),
            'd',
            'aaaa'
          )
        ) AS BIGINT)
      ) AS number,
      COUNT(*) AS words
    FROM (
      SELECT
        w.item AS pair,
        w.word_no AS word_no,
        w.bits AS bits
      FROM check_word AS w
    ) AS r
    LEFT JOIN check_whose AS w
      ON w.word_no = r.word_no
    WHERE
      r.bits <> 0
    GROUP BY
      r.pair,
      w.person
  ) AS g
  GROUP BY
    g.pair
), check_set_1_apart AS (
  SELECT
    CAST((
      p.pair - p.pair % 2654435761
    ) / 2654435761 AS BIGINT) AS id,
    p.pair % 2654435761 AS item,
    p.number AS number,
    p.persons AS persons
  FROM check_set_1_pair AS p
), check_set_1_whole AS (
  SELECT
    id AS parent,
    item AS item,
    number AS support,
    persons AS persons
  FROM check_set_1_apart AS apart
), check_set_1 AS (
  SELECT
    ROW_NUMBER() OVER (ORDER BY w.parent, w.item) - 1 AS id,
    w.parent AS parent,
    w.item AS item,
    w.support AS support,
    w.persons AS persons
  FROM check_set_1_whole AS w
), check_suspect_1_pair AS (
  SELECT
    g.pair AS pair,
    CAST(SUM(g.number) AS BIGINT) AS number,
    CAST(SUM(CASE WHEN g.person IS NULL THEN g.words ELSE 1 END) AS BIGINT) AS persons
  FROM (
    SELECT
      r.pair AS pair,
      w.person AS person,
      SUM(
        CAST(LENGTH(
          REPLACE(
            REPLACE(
              REPLACE(
                TRANSLATE(
                  LOWER(TO_CHAR(CAST(r.bits AS BIGINT), 'XXXXXXXXXXXXXXXX')),
                  '12483569ac7bdef0 ',
                  'aaaabbbbbbccccd'
                ),
                'b',
                'aa'
              ),
              'c',
              'aaa'
            ),
            'd',
            'aaaa'
          )
        ) AS BIGINT)
      ) AS number,
      COUNT(*) AS words
    FROM (
      SELECT
        cohort.id * 2654435761 + secret.item AS pair,
        cohort.word_no AS word_no,
        BITAND(cohort.bits, secret.bits) AS bits
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
            t.persons >= 3
        ) AS t
        JOIN check_word AS added
          ON added.item = t.item
      ) AS cohort
      JOIN check_secret AS secret
        ON secret.word_no = cohort.word_no
    ) AS r
    LEFT JOIN check_whose AS w
      ON w.word_no = r.word_no
    WHERE
      r.bits <> 0
    GROUP BY
      r.pair,
      w.person
  ) AS g
  GROUP BY
    g.pair
), check_suspect_1_apart AS (
  SELECT
    CAST((
      p.pair - p.pair % 2654435761
    ) / 2654435761 AS BIGINT) AS id,
    p.pair % 2654435761 AS item,
    p.number AS number,
    p.persons AS persons
  FROM check_suspect_1_pair AS p
), check_suspect_1 AS (
  SELECT
    p.id AS id,
    p.item AS secret,
    p.number AS hits,
    p.persons AS persons
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
    t.persons >= 3
    AND NOT EXISTS(
      SELECT
        1 AS one
      FROM check_suspect_1 AS suspect
      WHERE
        suspect.id = t.id
        AND (
          suspect.hits * 5 > 3 * t.support OR suspect.persons * 5 > 3 * t.persons
        )
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
    t.support AS support,
    t.persons AS persons
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
    s.persons AS persons,
    ROW_NUMBER() OVER (
      PARTITION BY s.id
      ORDER BY GREATEST_IGNORE_NULLS(s.hits * v.persons, s.persons * v.support) DESC NULLS LAST, s.secret
    ) AS place
  FROM check_violation_violation AS v
  JOIN check_suspect_0 AS s
    ON s.id = v.id
  WHERE
    (
      s.hits * 5 > 3 * v.support OR s.persons * 5 > 3 * v.persons
    )
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
    t.support AS support,
    t.persons AS persons
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
    s.persons AS persons,
    ROW_NUMBER() OVER (
      PARTITION BY s.id
      ORDER BY GREATEST_IGNORE_NULLS(s.hits * v.persons, s.persons * v.support) DESC NULLS LAST, s.secret
    ) AS place
  FROM check_violation_violation_2 AS v
  JOIN check_suspect_1 AS s
    ON s.id = v.id
  WHERE
    (
      s.hits * 5 > 3 * v.support OR s.persons * 5 > 3 * v.persons
    )
), check_violation AS (
  SELECT
    0 AS place,
    'the release is empty' AS fault,
    CAST(NULL AS VARCHAR) AS items,
    CAST(NULL AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(NULL AS VARCHAR) AS reveals,
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
    CAST(NULL AS VARCHAR) AS items,
    CAST(v.n AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(NULL AS VARCHAR) AS reveals,
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
    CAST(NULL AS VARCHAR) AS items,
    CAST(v.n AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(NULL AS VARCHAR) AS reveals,
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
    'transactions without a person' AS fault,
    CAST(NULL AS VARCHAR) AS items,
    CAST(v.n AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(NULL AS VARCHAR) AS reveals,
    CAST(NULL AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      COUNT(*) AS n
    FROM (
      SELECT DISTINCT
        g.key AS key
      FROM check_given AS g
      WHERE
        NOT g.key IS NULL
    ) AS r
    LEFT JOIN check_named AS n
      ON n.key = r.key
    WHERE
      n.named IS NULL OR n.named = 0
    HAVING
      COUNT(*) > 0
  ) AS v
  UNION ALL
  SELECT
    0 AS place,
    'transactions with rows of several persons' AS fault,
    CAST(NULL AS VARCHAR) AS items,
    CAST(v.n AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(NULL AS VARCHAR) AS reveals,
    CAST(NULL AS BIGINT) AS revealed_transactions,
    CAST(NULL AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      COUNT(*) AS n
    FROM check_named AS n
    WHERE
      n.named > 0 AND (
        n.person <> n.other OR n.named < n.cells
      )
    HAVING
      COUNT(*) > 0
  ) AS v
  UNION ALL
  SELECT
    0 AS place,
    'the release holds no item of the list private' AS fault,
    CAST(NULL AS VARCHAR) AS items,
    CAST(NULL AS BIGINT) AS transactions,
    CAST(NULL AS BIGINT) AS persons,
    CAST(NULL AS VARCHAR) AS reveals,
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
      WHEN v.persons < 3
      THEN 'the release has fewer than k'
      ELSE 'an item is too frequent'
    END AS fault,
    CAST(NULL AS VARCHAR) AS items,
    CAST(v.support AS BIGINT) AS transactions,
    CAST(v.persons AS BIGINT) AS persons,
    CAST(v.secret AS VARCHAR) AS reveals,
    CAST(v.hits AS BIGINT) AS revealed_transactions,
    CAST(v.revealed AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      v.support AS support,
      b.hits AS hits,
      v.persons AS persons,
      b.persons AS revealed,
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
      WHEN v.persons < 3
      THEN 'fewer than k hold these items'
      ELSE 'these items reveal an item'
    END AS fault,
    CAST(v.item_1 AS VARCHAR) AS items,
    CAST(v.support AS BIGINT) AS transactions,
    CAST(v.persons AS BIGINT) AS persons,
    CAST(v.secret AS VARCHAR) AS reveals,
    CAST(v.hits AS BIGINT) AS revealed_transactions,
    CAST(v.revealed AS BIGINT) AS revealed_persons
  FROM (
    SELECT
      v.support AS support,
      b.hits AS hits,
      v.persons AS persons,
      b.persons AS revealed,
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
