-- violations-0
-- check_violations_0: lists the worst sets of 0 items that violate the promise
WITH name AS (
  SELECT
    i.item AS item,
    MIN(i.label) AS label
  FROM check_item AS i
  GROUP BY
    i.item
), violation AS (
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
  ORDER BY
    t.support,
    t.id
  LIMIT 20
), pair AS (
  SELECT
    r.pair AS pair,
    CAST(SUM(BIT_COUNT(r.bits)) AS BIGINT) AS number
  FROM (
    SELECT
      x.item AS pair,
      x.word_no AS word_no,
      x.bits AS bits
    FROM check_secret AS x
  ) AS r
  WHERE
    r.bits <> 0
  GROUP BY
    r.pair
), apart AS (
  SELECT
    p.pair // 2654435761 AS id,
    p.pair % 2654435761 AS item,
    p.number AS number
  FROM pair AS p
), worst AS (
  SELECT
    r.id AS id,
    r.secret AS secret,
    r.hits AS hits
  FROM (
    SELECT
      p.id AS id,
      p.item AS secret,
      p.number AS hits,
      ROW_NUMBER() OVER (PARTITION BY p.id ORDER BY p.number DESC, p.item) AS place
    FROM apart AS p
  ) AS r
  WHERE
    r.place = 1
)
SELECT
  v.support AS support,
  COALESCE(h.hits, 0) AS hits,
  x.label AS secret
FROM violation AS v
LEFT JOIN worst AS h
  ON h.id = v.id
LEFT JOIN name AS x
  ON x.item = h.secret
ORDER BY
  v.support,
  v.id;

-- violations-2
-- check_violations_2: lists the worst sets of 2 items that violate the promise
WITH name AS (
  SELECT
    i.item AS item,
    MIN(i.label) AS label
  FROM check_item AS i
  GROUP BY
    i.item
), violation AS (
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
  ORDER BY
    t.support,
    t.id
  LIMIT 20
), pair AS (
  SELECT
    r.pair AS pair,
    CAST(SUM(BIT_COUNT(r.bits)) AS BIGINT) AS number
  FROM (
    SELECT
      w.id * 2654435761 + x.item AS pair,
      w.word_no AS word_no,
      w.bits & x.bits AS bits
    FROM (
      SELECT
        t.id AS id,
        t.item AS item,
        cohort.word_no AS word_no,
        cohort.bits & added.bits AS bits
      FROM violation AS t
      JOIN check_cohort_1 AS cohort
        ON cohort.id = t.parent
      JOIN check_cohort_1 AS added
        ON added.item = t.item AND added.word_no = cohort.word_no
    ) AS w
    JOIN check_secret AS x
      ON x.word_no = w.word_no
  ) AS r
  WHERE
    r.bits <> 0
  GROUP BY
    r.pair
), apart AS (
  SELECT
    p.pair // 2654435761 AS id,
    p.pair % 2654435761 AS item,
    p.number AS number
  FROM pair AS p
), worst AS (
  SELECT
    r.id AS id,
    r.secret AS secret,
    r.hits AS hits
  FROM (
    SELECT
      p.id AS id,
      p.item AS secret,
      p.number AS hits,
      ROW_NUMBER() OVER (PARTITION BY p.id ORDER BY p.number DESC, p.item) AS place
    FROM apart AS p
  ) AS r
  WHERE
    r.place = 1
)
SELECT
  v.support AS support,
  COALESCE(h.hits, 0) AS hits,
  x.label AS secret,
  n1.label AS item_1,
  n2.label AS item_2
FROM violation AS v
LEFT JOIN worst AS h
  ON h.id = v.id
LEFT JOIN name AS x
  ON x.item = h.secret
JOIN check_fine_1 AS f1
  ON f1.id = v.parent
JOIN name AS n2
  ON n2.item = v.item
JOIN name AS n1
  ON n1.item = f1.item
ORDER BY
  v.support,
  v.id;

-- violations-3
-- check_violations_3: lists the worst sets of 3 items that violate the promise
WITH name AS (
  SELECT
    i.item AS item,
    MIN(i.label) AS label
  FROM check_item AS i
  GROUP BY
    i.item
), violation AS (
  SELECT
    t.id AS id,
    t.parent AS parent,
    t.item AS item,
    t.support AS support
  FROM check_set_3 AS t
  WHERE
    NOT EXISTS(
      SELECT
        1 AS one
      FROM check_fine_3 AS f
      WHERE
        f.id = t.id
    )
  ORDER BY
    t.support,
    t.id
  LIMIT 20
), pair AS (
  SELECT
    r.pair AS pair,
    CAST(SUM(BIT_COUNT(r.bits)) AS BIGINT) AS number
  FROM (
    SELECT
      w.id * 2654435761 + x.item AS pair,
      w.word_no AS word_no,
      w.bits & x.bits AS bits
    FROM (
      SELECT
        t.id AS id,
        t.item AS item,
        cohort.word_no AS word_no,
        cohort.bits & added.bits AS bits
      FROM violation AS t
      JOIN check_cohort_2 AS cohort
        ON cohort.id = t.parent
      JOIN check_cohort_1 AS added
        ON added.item = t.item AND added.word_no = cohort.word_no
    ) AS w
    JOIN check_secret AS x
      ON x.word_no = w.word_no
  ) AS r
  WHERE
    r.bits <> 0
  GROUP BY
    r.pair
), apart AS (
  SELECT
    p.pair // 2654435761 AS id,
    p.pair % 2654435761 AS item,
    p.number AS number
  FROM pair AS p
), worst AS (
  SELECT
    r.id AS id,
    r.secret AS secret,
    r.hits AS hits
  FROM (
    SELECT
      p.id AS id,
      p.item AS secret,
      p.number AS hits,
      ROW_NUMBER() OVER (PARTITION BY p.id ORDER BY p.number DESC, p.item) AS place
    FROM apart AS p
  ) AS r
  WHERE
    r.place = 1
)
SELECT
  v.support AS support,
  COALESCE(h.hits, 0) AS hits,
  x.label AS secret,
  n1.label AS item_1,
  n2.label AS item_2,
  n3.label AS item_3
FROM violation AS v
LEFT JOIN worst AS h
  ON h.id = v.id
LEFT JOIN name AS x
  ON x.item = h.secret
JOIN check_fine_2 AS f2
  ON f2.id = v.parent
JOIN check_fine_1 AS f1
  ON f1.id = f2.parent
JOIN name AS n3
  ON n3.item = v.item
JOIN name AS n1
  ON n1.item = f1.item
JOIN name AS n2
  ON n2.item = f2.item
ORDER BY
  v.support,
  v.id;

-- violations-2-persons
-- check_violations_2: lists the worst sets of 2 items that violate the promise
WITH name AS (
  SELECT
    i.item AS item,
    MIN(i.label) AS label
  FROM check_item AS i
  GROUP BY
    i.item
), violation AS (
  SELECT
    t.id AS id,
    t.parent AS parent,
    t.item AS item,
    t.support AS support,
    t.persons AS persons
  FROM check_set_2 AS t
  WHERE
    NOT EXISTS(
      SELECT
        1 AS one
      FROM check_fine_2 AS f
      WHERE
        f.id = t.id
    )
  ORDER BY
    t.persons,
    t.support,
    t.id
  LIMIT 20
), pair AS (
  SELECT
    r.pair AS pair,
    CAST(SUM(BIT_COUNT(r.bits)) AS BIGINT) AS number,
    COUNT(*) AS persons
  FROM (
    SELECT
      w.id * 2654435761 + x.item AS pair,
      w.word_no AS word_no,
      w.bits & x.bits AS bits
    FROM (
      SELECT
        t.id AS id,
        t.item AS item,
        cohort.word_no AS word_no,
        cohort.bits & added.bits AS bits
      FROM violation AS t
      JOIN check_cohort_1 AS cohort
        ON cohort.id = t.parent
      JOIN check_cohort_1 AS added
        ON added.item = t.item AND added.word_no = cohort.word_no
    ) AS w
    JOIN check_secret AS x
      ON x.word_no = w.word_no
  ) AS r
  WHERE
    r.bits <> 0
  GROUP BY
    r.pair
), apart AS (
  SELECT
    p.pair // 2654435761 AS id,
    p.pair % 2654435761 AS item,
    p.number AS number,
    p.persons AS persons
  FROM pair AS p
), worst AS (
  SELECT
    r.id AS id,
    r.secret AS secret,
    r.hits AS hits,
    r.persons AS persons
  FROM (
    SELECT
      p.id AS id,
      p.item AS secret,
      p.number AS hits,
      p.persons AS persons,
      ROW_NUMBER() OVER (
        PARTITION BY p.id
        ORDER BY GREATEST(p.number * v.persons, p.persons * v.support) DESC, p.item
      ) AS place
    FROM apart AS p
    JOIN violation AS v
      ON v.id = p.id
  ) AS r
  WHERE
    r.place = 1
)
SELECT
  v.support AS support,
  COALESCE(h.hits, 0) AS hits,
  v.persons AS persons,
  COALESCE(h.persons, 0) AS revealed,
  x.label AS secret,
  n1.label AS item_1,
  n2.label AS item_2
FROM violation AS v
LEFT JOIN worst AS h
  ON h.id = v.id
LEFT JOIN name AS x
  ON x.item = h.secret
JOIN check_fine_1 AS f1
  ON f1.id = v.parent
JOIN name AS n2
  ON n2.item = v.item
JOIN name AS n1
  ON n1.item = f1.item
ORDER BY
  v.persons,
  v.support,
  v.id;
