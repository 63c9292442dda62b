-- keys
-- check_key: each row is a transaction of the release, numbered by key
SELECT
  ROW_NUMBER() OVER (ORDER BY c.key) - 1 AS tid,
  c.key AS key
FROM (
  SELECT DISTINCT
    r.key AS key
  FROM cells AS r
  WHERE
    NOT r.key IS NULL
) AS c;

-- items
-- check_item: each row is a public item, which an attacker may know, or a private one, numbered by name
WITH present AS (
  SELECT DISTINCT
    r.name AS name,
    CAST(r.name AS TEXT) AS label
  FROM cells AS r
  WHERE
    NOT r.name IS NULL
)
SELECT
  CAST(DENSE_RANK() OVER (ORDER BY n.label) - 1 AS INT) AS item,
  n.name AS name,
  n.label AS label,
  r.private AS private
FROM present AS n
JOIN roles AS r
  ON r.label = n.label;

-- holdings
-- check_held: each row is an item that a transaction holds, in numbers
SELECT
  t.tid AS tid,
  i.item AS item,
  i.private AS private
FROM cells AS c
JOIN check_item AS i
  ON i.name = c.name
JOIN check_key AS t
  ON t.key = c.key;

-- sizes
-- check_sizes: counts the rows of a join by transaction and of one by words of 63: the fewer decides
WITH basket AS (
  SELECT
    COUNT(*) AS n
  FROM check_held
  WHERE
    private = 0 AND tid < 64512
  GROUP BY
    tid
), word AS (
  SELECT
    COUNT(DISTINCT item) AS n
  FROM check_held
  WHERE
    private = 0 AND tid < 64512
  GROUP BY
    tid - tid % 63
), single AS (
  SELECT
    CAST(COALESCE(SUM(b.n * (
      b.n - 1
    )), 0) AS BIGINT) AS pairs
  FROM basket AS b
), packed AS (
  SELECT
    CAST(COALESCE(SUM(w.n * (
      w.n - 1
    )), 0) AS BIGINT) AS pairs
  FROM word AS w
), unkeyed AS (
  SELECT
    COUNT(*) AS n
  FROM cells AS r
  WHERE
    r.key IS NULL
)
SELECT
  s.pairs AS single,
  p.pairs AS packed,
  u.n AS unkeyed
FROM single AS s
CROSS JOIN packed AS p
CROSS JOIN unkeyed AS u;

-- knowing_nothing
-- check_nothing: finds the most frequent private item: an attacker without knowledge would guess it
SELECT
  t.transactions AS transactions,
  x.hits AS hits
FROM (
  SELECT
    COUNT(*) AS transactions
  FROM check_key
) AS t
CROSS JOIN (
  SELECT
    COALESCE(MAX(n.number), 0) AS hits
  FROM (
    SELECT
      r.item AS item,
      CAST(SUM(BIT_COUNT(r.bits)) AS BIGINT) AS number
    FROM check_secret AS r
    WHERE
      r.bits <> 0
    GROUP BY
      r.item
  ) AS n
) AS x;

-- words-1
-- check_public: each row is a public item and a word of bits: one bit per transaction that holds it
SELECT
  h.item AS item,
  CAST(h.tid AS INT) AS word_no,
  CAST(1 AS SMALLINT) AS bits
FROM check_held AS h
WHERE
  h.private = 0
GROUP BY
  h.item,
  CAST(h.tid AS INT);

-- words-63
-- check_secrets: each row is a private item and a word of bits: one bit per transaction that holds it
SELECT
  h.item AS item,
  CAST(h.tid // 63 AS INT) AS word_no,
  BIT_OR(CAST(1 AS BIGINT) << CAST(h.tid % 63 AS INT)) AS bits
FROM check_held AS h
WHERE
  h.private = 1
GROUP BY
  h.item,
  CAST(h.tid // 63 AS INT);

-- empty_set
-- check_set_0: holds the empty itemset, with all transactions as its cohort
SELECT
  0 AS id,
  0 AS parent,
  -1 AS item,
  COUNT(*) AS support
FROM check_key
HAVING
  COUNT(*) > 0;

-- secrets
-- check_suspect_0: each row is a private item with its hits: enough of them to breach a set of k transactions
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
  x.number * 5 > 40;

-- fine-0
-- check_fine_0: each row is a set of size 0 that does not violate the promise: only these grow
SELECT
  t.id AS id,
  t.parent AS parent,
  t.item AS item
FROM check_set_0 AS t
WHERE
  t.support >= 20
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM check_suspect_0 AS suspect
    WHERE
      suspect.id = t.id AND suspect.hits * 5 > 2 * t.support
  );

-- sets-2
-- check_set_2: each row is a public itemset of size 2 without a violation in its subsets
WITH pair AS (
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
), apart AS (
  SELECT
    p.pair // 2654435761 AS id,
    p.pair % 2654435761 AS item,
    p.number AS number
  FROM pair AS p
), whole AS (
  SELECT
    id AS parent,
    item AS item,
    number AS support
  FROM apart
)
SELECT
  ROW_NUMBER() OVER (ORDER BY w.parent, w.item) - 1 AS id,
  w.parent AS parent,
  w.item AS item,
  w.support AS support
FROM whole AS w;

-- fine-2
-- check_fine_2: each row is a set of size 2 that does not violate the promise: only these grow
SELECT
  t.id AS id,
  t.parent AS parent,
  t.item AS item
FROM check_set_2 AS t
WHERE
  t.support >= 20
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM check_suspect_2 AS suspect
    WHERE
      suspect.id = t.id AND suspect.hits * 5 > 2 * t.support
  );

-- cohorts-2
-- check_cohort_2: each row is a fine set and a word of bits: its transactions
SELECT
  w.id AS id,
  w.item AS item,
  w.word_no AS word_no,
  w.bits AS bits
FROM (
  SELECT
    t.id AS id,
    t.item AS item,
    cohort.word_no AS word_no,
    cohort.bits & added.bits AS bits
  FROM check_fine_2 AS t
  JOIN check_cohort_1 AS cohort
    ON cohort.id = t.parent
  JOIN check_cohort_1 AS added
    ON added.item = t.item AND added.word_no = cohort.word_no
) AS w
WHERE
  w.bits <> 0;

-- suspects-2
-- check_suspect_2: each row is a set and a private item, with its hits: transactions of the cohort that hold it
WITH pair AS (
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
          t.support >= 20
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
), apart AS (
  SELECT
    p.pair // 2654435761 AS id,
    p.pair % 2654435761 AS item,
    p.number AS number
  FROM pair AS p
)
SELECT
  p.id AS id,
  p.item AS secret,
  p.number AS hits
FROM apart AS p
WHERE
  p.number * 5 > 40;

-- bounds-2
-- check_bound_2: each row is a set and a private item that is suspect in all its subsets, with a bound of hits
SELECT
  link.id AS id,
  suspect.secret AS secret,
  t.support AS support,
  MIN(suspect.hits) AS hits
FROM check_link_2 AS link
JOIN check_set_2 AS t
  ON t.id = link.id
JOIN check_suspect_1 AS suspect
  ON suspect.id = link.subset
WHERE
  t.support >= 20
GROUP BY
  link.id,
  suspect.secret,
  t.support
HAVING
  COUNT(*) = 2;

-- lengths-2
-- check_lengths_2: counts words by their number of items: the run refuses a next relation that is too large
SELECT
  counted.held AS held,
  COUNT(*) AS transactions
FROM (
  SELECT
    r.word_no AS owner,
    COUNT(*) AS held
  FROM check_cohort_1 AS r
  GROUP BY
    r.word_no
) AS counted
GROUP BY
  counted.held
ORDER BY
  held;

-- prospects-2
-- check_prospects_2: bounds the number of sets of 2 items: the run refuses a relation that is too large
SELECT
  CAST(COALESCE(SUM(g.n * (
    g.n - 1
  ) // 2), 0) AS BIGINT) AS candidates
FROM (
  SELECT
    COUNT(*) AS n
  FROM check_fine_1 AS r
  GROUP BY
    r.parent
) AS g;

-- links-2
-- check_link_2: each row is a set and a subset that lacks one of its items
SELECT
  s.id AS id,
  s.parent AS subset
FROM check_set_2 AS s
UNION ALL
SELECT
  s.id AS id,
  f.id AS subset
FROM check_set_2 AS s
JOIN check_fine_1 AS f
  ON f.item = s.item;

-- suspects-2-bounded
-- check_suspect_2: each row is a set and a private item, with its hits: transactions of the cohort that hold it
WITH pair AS (
  SELECT
    r.pair AS pair,
    CAST(SUM(BIT_COUNT(r.bits)) AS BIGINT) AS number
  FROM (
    SELECT
      cohort.id * 2654435761 + secret.item AS pair,
      cohort.word_no AS word_no,
      cohort.bits & secret.bits AS bits
    FROM check_bound_2 AS bound
    JOIN (
      SELECT
        t.id AS id,
        t.item AS item,
        cohort.word_no AS word_no,
        cohort.bits & added.bits AS bits
      FROM check_set_2 AS t
      JOIN check_cohort_1 AS cohort
        ON cohort.id = t.parent
      JOIN check_cohort_1 AS added
        ON added.item = t.item AND added.word_no = cohort.word_no
    ) AS cohort
      ON cohort.id = bound.id
    JOIN check_secret AS secret
      ON secret.item = bound.secret AND secret.word_no = cohort.word_no
    WHERE
      bound.hits * 5 > 2 * bound.support
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
)
SELECT
  p.id AS id,
  p.item AS secret,
  p.number AS hits
FROM apart AS p
WHERE
  p.number * 5 > 40
UNION ALL
SELECT
  bound.id AS id,
  bound.secret AS secret,
  bound.hits AS hits
FROM check_bound_2 AS bound
WHERE
  NOT bound.hits * 5 > 2 * bound.support;

-- sets-3
-- check_set_3: each row is a public itemset of size 3 without a violation in its subsets
WITH pair AS (
  SELECT
    r.pair AS pair,
    CAST(SUM(BIT_COUNT(r.bits)) AS BIGINT) AS number
  FROM (
    SELECT
      cohort.id * 2654435761 + added.item AS pair,
      cohort.word_no AS word_no,
      cohort.bits & added.bits AS bits
    FROM check_cohort_2 AS cohort
    JOIN check_cohort_1 AS added
      ON added.word_no = cohort.word_no AND added.item > cohort.item
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
), whole AS (
  SELECT
    s.id AS parent,
    s.item AS item,
    s.number AS support
  FROM apart AS s
  JOIN check_link_2 AS link
    ON link.id = s.id
  JOIN check_fine_2 AS fine
    ON fine.parent = link.subset AND fine.item = s.item
  GROUP BY
    s.id,
    s.item,
    s.number
  HAVING
    COUNT(*) = 2
)
SELECT
  ROW_NUMBER() OVER (ORDER BY w.parent, w.item) - 1 AS id,
  w.parent AS parent,
  w.item AS item,
  w.support AS support
FROM whole AS w;

-- fine-3
-- check_fine_3: each row is a set of size 3 that does not violate the promise: only these grow
SELECT
  t.id AS id,
  t.parent AS parent,
  t.item AS item
FROM check_set_3 AS t
WHERE
  t.support >= 20
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM check_suspect_3 AS suspect
    WHERE
      suspect.id = t.id AND suspect.hits * 5 > 2 * t.support
  );

-- cohorts-3
-- check_cohort_3: each row is a fine set and a word of bits: its transactions
SELECT
  w.id AS id,
  w.item AS item,
  w.word_no AS word_no,
  w.bits AS bits
FROM (
  SELECT
    t.id AS id,
    t.item AS item,
    cohort.word_no AS word_no,
    cohort.bits & added.bits AS bits
  FROM check_fine_3 AS t
  JOIN check_cohort_2 AS cohort
    ON cohort.id = t.parent
  JOIN check_cohort_1 AS added
    ON added.item = t.item AND added.word_no = cohort.word_no
) AS w
WHERE
  w.bits <> 0;

-- suspects-3
-- check_suspect_3: each row is a set and a private item, with its hits: transactions of the cohort that hold it
WITH pair AS (
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
        FROM check_set_3 AS t
        WHERE
          t.support >= 20
      ) AS t
      JOIN check_cohort_2 AS cohort
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
), apart AS (
  SELECT
    p.pair // 2654435761 AS id,
    p.pair % 2654435761 AS item,
    p.number AS number
  FROM pair AS p
)
SELECT
  p.id AS id,
  p.item AS secret,
  p.number AS hits
FROM apart AS p
WHERE
  p.number * 5 > 40;

-- bounds-3
-- check_bound_3: each row is a set and a private item that is suspect in all its subsets, with a bound of hits
SELECT
  link.id AS id,
  suspect.secret AS secret,
  t.support AS support,
  MIN(suspect.hits) AS hits
FROM check_link_3 AS link
JOIN check_set_3 AS t
  ON t.id = link.id
JOIN check_suspect_2 AS suspect
  ON suspect.id = link.subset
WHERE
  t.support >= 20
GROUP BY
  link.id,
  suspect.secret,
  t.support
HAVING
  COUNT(*) = 3;

-- lengths-3
-- check_lengths_3: counts words by their number of items: the run refuses a next relation that is too large
SELECT
  counted.held AS held,
  COUNT(*) AS transactions
FROM (
  SELECT
    r.word_no AS owner,
    COUNT(*) AS held
  FROM check_cohort_1 AS r
  GROUP BY
    r.word_no
) AS counted
GROUP BY
  counted.held
ORDER BY
  held;

-- prospects-3
-- check_prospects_3: bounds the number of sets of 3 items: the run refuses a relation that is too large
SELECT
  CAST(COALESCE(SUM(g.n * (
    g.n - 1
  ) // 2), 0) AS BIGINT) AS candidates
FROM (
  SELECT
    COUNT(*) AS n
  FROM check_fine_2 AS r
  GROUP BY
    r.parent
) AS g;

-- links-3
-- check_link_3: each row is a set and a subset that lacks one of its items
SELECT
  s.id AS id,
  s.parent AS subset
FROM check_set_3 AS s
UNION ALL
SELECT
  s.id AS id,
  f.id AS subset
FROM check_set_3 AS s
JOIN check_link_2 AS l
  ON l.id = s.parent
JOIN check_fine_2 AS f
  ON f.parent = l.subset AND f.item = s.item;

-- suspects-3-bounded
-- check_suspect_3: each row is a set and a private item, with its hits: transactions of the cohort that hold it
WITH pair AS (
  SELECT
    r.pair AS pair,
    CAST(SUM(BIT_COUNT(r.bits)) AS BIGINT) AS number
  FROM (
    SELECT
      cohort.id * 2654435761 + secret.item AS pair,
      cohort.word_no AS word_no,
      cohort.bits & secret.bits AS bits
    FROM check_bound_3 AS bound
    JOIN (
      SELECT
        t.id AS id,
        t.item AS item,
        cohort.word_no AS word_no,
        cohort.bits & added.bits AS bits
      FROM check_set_3 AS t
      JOIN check_cohort_2 AS cohort
        ON cohort.id = t.parent
      JOIN check_cohort_1 AS added
        ON added.item = t.item AND added.word_no = cohort.word_no
    ) AS cohort
      ON cohort.id = bound.id
    JOIN check_secret AS secret
      ON secret.item = bound.secret AND secret.word_no = cohort.word_no
    WHERE
      bound.hits * 5 > 2 * bound.support
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
)
SELECT
  p.id AS id,
  p.item AS secret,
  p.number AS hits
FROM apart AS p
WHERE
  p.number * 5 > 40
UNION ALL
SELECT
  bound.id AS id,
  bound.secret AS secret,
  bound.hits AS hits
FROM check_bound_3 AS bound
WHERE
  NOT bound.hits * 5 > 2 * bound.support;

-- keys_of_persons
-- check_key: each row is a transaction of the release; numbers of one person begin with a new word
SELECT
  63 * (
    DENSE_RANK() OVER (ORDER BY o.person, o.place // 63) - 1
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
) AS o;

-- whose
-- check_whose: each row is a word of bits and its person, who has several words
SELECT DISTINCT
  t.tid // 63 AS word_no,
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
  ON m.person = t.person;

-- knowing_nothing-persons
-- check_nothing: finds the most frequent private item: an attacker without knowledge would guess it
SELECT
  t.transactions AS transactions,
  x.hits AS hits,
  t.persons AS persons,
  x.persons AS revealed
FROM (
  SELECT
    COUNT(*) AS transactions,
    COUNT(DISTINCT person) AS persons
  FROM check_key
) AS t
CROSS JOIN (
  SELECT
    COALESCE(MAX(n.number), 0) AS hits,
    COALESCE(MAX(n.persons), 0) AS persons
  FROM (
    SELECT
      r.item AS item,
      CAST(SUM(BIT_COUNT(r.bits)) AS BIGINT) AS number,
      COUNT(*) AS persons
    FROM check_secret AS r
    WHERE
      r.bits <> 0
    GROUP BY
      r.item
  ) AS n
) AS x;

-- empty_set-persons
-- check_set_0: holds the empty itemset, with all transactions as its cohort
SELECT
  0 AS id,
  0 AS parent,
  -1 AS item,
  COUNT(*) AS support,
  COUNT(DISTINCT person) AS persons
FROM check_key
HAVING
  COUNT(*) > 0;

-- secrets-persons
-- check_suspect_0: each row is a private item with its hits: enough of them to breach a set of k transactions
SELECT
  0 AS id,
  x.item AS secret,
  x.number AS hits,
  x.persons AS persons
FROM (
  SELECT
    r.item AS item,
    CAST(SUM(BIT_COUNT(r.bits)) AS BIGINT) AS number,
    COUNT(*) AS persons
  FROM check_secret AS r
  WHERE
    r.bits <> 0
  GROUP BY
    r.item
) AS x
WHERE
  x.number * 5 > 40;

-- sets-2-many
-- check_set_2: each row is a public itemset of size 2 without a violation in its subsets
WITH pair AS (
  SELECT
    g.pair AS pair,
    CAST(SUM(g.number) AS BIGINT) AS number,
    CAST(SUM(CASE WHEN g.person IS NULL THEN g.words ELSE 1 END) AS BIGINT) AS persons
  FROM (
    SELECT
      r.pair AS pair,
      w.person AS person,
      SUM(BIT_COUNT(r.bits)) AS number,
      COUNT(*) AS words
    FROM (
      SELECT
        cohort.id * 2654435761 + added.item AS pair,
        cohort.word_no AS word_no,
        cohort.bits & added.bits AS bits
      FROM check_cohort_1 AS cohort
      JOIN check_cohort_1 AS added
        ON added.word_no = cohort.word_no AND added.item > cohort.item
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
), apart AS (
  SELECT
    p.pair // 2654435761 AS id,
    p.pair % 2654435761 AS item,
    p.number AS number,
    p.persons AS persons
  FROM pair AS p
), whole AS (
  SELECT
    id AS parent,
    item AS item,
    number AS support,
    persons AS persons
  FROM apart
)
SELECT
  ROW_NUMBER() OVER (ORDER BY w.parent, w.item) - 1 AS id,
  w.parent AS parent,
  w.item AS item,
  w.support AS support,
  w.persons AS persons
FROM whole AS w;

-- sets-3-persons
-- check_set_3: each row is a public itemset of size 3 without a violation in its subsets
WITH pair AS (
  SELECT
    r.pair AS pair,
    CAST(SUM(BIT_COUNT(r.bits)) AS BIGINT) AS number,
    COUNT(*) AS persons
  FROM (
    SELECT
      cohort.id * 2654435761 + added.item AS pair,
      cohort.word_no AS word_no,
      cohort.bits & added.bits AS bits
    FROM check_cohort_2 AS cohort
    JOIN check_cohort_1 AS added
      ON added.word_no = cohort.word_no AND added.item > cohort.item
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
), whole AS (
  SELECT
    s.id AS parent,
    s.item AS item,
    s.number AS support,
    s.persons AS persons
  FROM apart AS s
  JOIN check_link_2 AS link
    ON link.id = s.id
  JOIN check_fine_2 AS fine
    ON fine.parent = link.subset AND fine.item = s.item
  GROUP BY
    s.id,
    s.item,
    s.number,
    s.persons
  HAVING
    COUNT(*) = 2
)
SELECT
  ROW_NUMBER() OVER (ORDER BY w.parent, w.item) - 1 AS id,
  w.parent AS parent,
  w.item AS item,
  w.support AS support,
  w.persons AS persons
FROM whole AS w;

-- fine-3-persons
-- check_fine_3: each row is a set of size 3 that does not violate the promise: only these grow
SELECT
  t.id AS id,
  t.parent AS parent,
  t.item AS item
FROM check_set_3 AS t
WHERE
  t.persons >= 20
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM check_suspect_3 AS suspect
    WHERE
      suspect.id = t.id
      AND (
        suspect.hits * 5 > 2 * t.support OR suspect.persons * 5 > 2 * t.persons
      )
  );

-- bounds-3-persons
-- check_bound_3: each row is a set and a private item that is suspect in all its subsets, with a bound of hits
SELECT
  link.id AS id,
  suspect.secret AS secret,
  t.support AS support,
  MIN(suspect.hits) AS hits,
  MIN(suspect.persons) AS persons,
  t.persons AS of_persons
FROM check_link_3 AS link
JOIN check_set_3 AS t
  ON t.id = link.id
JOIN check_suspect_2 AS suspect
  ON suspect.id = link.subset
WHERE
  t.persons >= 20
GROUP BY
  link.id,
  suspect.secret,
  t.support,
  t.persons
HAVING
  COUNT(*) = 3;

-- suspects-3-persons
-- check_suspect_3: each row is a set and a private item, with its hits: transactions of the cohort that hold it
WITH pair AS (
  SELECT
    r.pair AS pair,
    CAST(SUM(BIT_COUNT(r.bits)) AS BIGINT) AS number,
    COUNT(*) AS persons
  FROM (
    SELECT
      cohort.id * 2654435761 + secret.item AS pair,
      cohort.word_no AS word_no,
      cohort.bits & secret.bits AS bits
    FROM check_bound_3 AS bound
    JOIN (
      SELECT
        t.id AS id,
        t.item AS item,
        cohort.word_no AS word_no,
        cohort.bits & added.bits AS bits
      FROM check_set_3 AS t
      JOIN check_cohort_2 AS cohort
        ON cohort.id = t.parent
      JOIN check_cohort_1 AS added
        ON added.item = t.item AND added.word_no = cohort.word_no
    ) AS cohort
      ON cohort.id = bound.id
    JOIN check_secret AS secret
      ON secret.item = bound.secret AND secret.word_no = cohort.word_no
    WHERE
      (
        bound.hits * 5 > 2 * bound.support OR bound.persons * 5 > 2 * bound.of_persons
      )
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
)
SELECT
  p.id AS id,
  p.item AS secret,
  p.number AS hits,
  p.persons AS persons
FROM apart AS p
WHERE
  p.number * 5 > 40
UNION ALL
SELECT
  bound.id AS id,
  bound.secret AS secret,
  bound.hits AS hits,
  bound.persons AS persons
FROM check_bound_3 AS bound
WHERE
  NOT (
    bound.hits * 5 > 2 * bound.support OR bound.persons * 5 > 2 * bound.of_persons
  );
