-- transactions
-- check_transaction: each row is a transaction of the release, numbered by key, and its person
SELECT
  ROW_NUMBER() OVER (ORDER BY o.key) AS tid,
  o.key AS key,
  o.person AS person
FROM check_owner AS o;

-- sets-1
-- check_set_1: each row is a set of published nodes, of size 1, with its support and a number of persons that it surely has
SELECT
  h1.node AS n1,
  COUNT(*) AS support,
  CAST(BIT_COUNT(BIT_OR(CAST(1 AS BIGINT) << CAST(t.person % 62 AS INT))) AS INT) AS seen
FROM check_held AS h1
JOIN check_transaction AS t
  ON t.tid = h1.tid
GROUP BY
  h1.node;

-- doubts-1
-- check_doubts_1: counts the sets that may be of fewer than k persons: the run refuses too many
SELECT
  COUNT(*) AS doubtful,
  CAST(COALESCE(SUM(s.support), 0) AS BIGINT) AS held
FROM check_set_1 AS s
WHERE
  s.seen < 20;

-- few-1
-- check_few_1: each row is a set of 1 nodes that may be of fewer than k persons, with its persons
SELECT
  p.n1 AS n1,
  MAX(p.support) AS support,
  COUNT(*) AS persons
FROM (
  SELECT DISTINCT
    s.n1 AS n1,
    s.support AS support,
    t.person AS person
  FROM check_set_1 AS s
  JOIN check_held AS h1
    ON h1.node = s.n1
  JOIN check_transaction AS t
    ON t.tid = h1.tid
  WHERE
    s.seen < 20
) AS p
GROUP BY
  p.n1;

-- counted-1
-- check_counted_1: counts the sets of size 1, and those that fewer than k persons hold
SELECT
  (
    SELECT
      COUNT(*) AS n
    FROM check_set_1 AS s
  ) AS checked,
  COUNT(CASE WHEN f.persons < 20 THEN 1 END) AS found
FROM check_few_1 AS f;

-- violations-1
-- check_violations_1: lists the sets of 1 nodes that fewer than k persons hold, the fewest first
SELECT
  s.support AS support,
  s.persons AS persons,
  c1.level AS level1,
  c1.name AS name1
FROM check_few_1 AS s
JOIN check_node AS c1
  ON c1.node = s.n1
WHERE
  s.persons < 20
ORDER BY
  s.persons,
  s.support,
  s.n1
LIMIT 10;

-- sets-2
-- check_set_2: each row is a set of published nodes, of size 2, with its support and a number of persons that it surely has
SELECT
  h1.node AS n1,
  h2.node AS n2,
  COUNT(*) AS support,
  CAST(BIT_COUNT(
    COALESCE(
      BIT_OR(
        CASE
          WHEN t.person % 124 >= 0 AND t.person % 124 < 62
          THEN CAST(1 AS BIGINT) << CAST(t.person % 124 AS INT)
        END
      ),
      0
    )
  ) AS INT) + CAST(BIT_COUNT(
    COALESCE(
      BIT_OR(
        CASE
          WHEN t.person % 124 >= 62 AND t.person % 124 < 124
          THEN CAST(1 AS BIGINT) << CAST(t.person % 124 - 62 AS INT)
        END
      ),
      0
    )
  ) AS INT) AS seen
FROM check_held AS h1
JOIN check_held AS h2
  ON h2.tid = h1.tid AND h2.node > h1.node
JOIN check_transaction AS t
  ON t.tid = h1.tid
GROUP BY
  h1.node,
  h2.node;

-- doubts-2
-- check_doubts_2: counts the sets that may be of fewer than k persons: the run refuses too many
SELECT
  COUNT(*) AS doubtful,
  CAST(COALESCE(SUM(s.support), 0) AS BIGINT) AS held
FROM check_set_2 AS s
WHERE
  s.seen < 20;

-- few-2
-- check_few_2: each row is a set of 2 nodes that may be of fewer than k persons, with its persons
SELECT
  p.n1 AS n1,
  p.n2 AS n2,
  MAX(p.support) AS support,
  COUNT(*) AS persons
FROM (
  SELECT DISTINCT
    s.n1 AS n1,
    s.n2 AS n2,
    s.support AS support,
    t.person AS person
  FROM check_set_2 AS s
  JOIN check_held AS h1
    ON h1.node = s.n1
  JOIN check_held AS h2
    ON h2.tid = h1.tid AND h2.node = s.n2
  JOIN check_transaction AS t
    ON t.tid = h1.tid
  WHERE
    s.seen < 20
) AS p
GROUP BY
  p.n1,
  p.n2;

-- counted-2
-- check_counted_2: counts the sets of size 2, and those that fewer than k persons hold
SELECT
  (
    SELECT
      COUNT(*) AS n
    FROM check_set_2 AS s
  ) AS checked,
  COUNT(CASE WHEN f.persons < 20 THEN 1 END) AS found
FROM check_few_2 AS f;

-- violations-2
-- check_violations_2: lists the sets of 2 nodes that fewer than k persons hold, the fewest first
SELECT
  s.support AS support,
  s.persons AS persons,
  c1.level AS level1,
  c1.name AS name1,
  c2.level AS level2,
  c2.name AS name2
FROM check_few_2 AS s
JOIN check_node AS c1
  ON c1.node = s.n1
JOIN check_node AS c2
  ON c2.node = s.n2
WHERE
  s.persons < 20
ORDER BY
  s.persons,
  s.support,
  s.n1,
  s.n2
LIMIT 10;

-- sets-3
-- check_set_3: each row is a set of published nodes, of size 3, with its support and a number of persons that it surely has
SELECT
  h1.node AS n1,
  h2.node AS n2,
  h3.node AS n3,
  COUNT(*) AS support,
  CAST(BIT_COUNT(
    COALESCE(
      BIT_OR(
        CASE
          WHEN t.person % 124 >= 0 AND t.person % 124 < 62
          THEN CAST(1 AS BIGINT) << CAST(t.person % 124 AS INT)
        END
      ),
      0
    )
  ) AS INT) + CAST(BIT_COUNT(
    COALESCE(
      BIT_OR(
        CASE
          WHEN t.person % 124 >= 62 AND t.person % 124 < 124
          THEN CAST(1 AS BIGINT) << CAST(t.person % 124 - 62 AS INT)
        END
      ),
      0
    )
  ) AS INT) AS seen
FROM check_held AS h1
JOIN check_held AS h2
  ON h2.tid = h1.tid AND h2.node > h1.node
JOIN check_held AS h3
  ON h3.tid = h1.tid AND h3.node > h2.node
JOIN check_transaction AS t
  ON t.tid = h1.tid
GROUP BY
  h1.node,
  h2.node,
  h3.node;

-- doubts-3
-- check_doubts_3: counts the sets that may be of fewer than k persons: the run refuses too many
SELECT
  COUNT(*) AS doubtful,
  CAST(COALESCE(SUM(s.support), 0) AS BIGINT) AS held
FROM check_set_3 AS s
WHERE
  s.seen < 20;

-- few-3
-- check_few_3: each row is a set of 3 nodes that may be of fewer than k persons, with its persons
SELECT
  p.n1 AS n1,
  p.n2 AS n2,
  p.n3 AS n3,
  MAX(p.support) AS support,
  COUNT(*) AS persons
FROM (
  SELECT DISTINCT
    s.n1 AS n1,
    s.n2 AS n2,
    s.n3 AS n3,
    s.support AS support,
    t.person AS person
  FROM check_set_3 AS s
  JOIN check_held AS h1
    ON h1.node = s.n1
  JOIN check_held AS h2
    ON h2.tid = h1.tid AND h2.node = s.n2
  JOIN check_held AS h3
    ON h3.tid = h1.tid AND h3.node = s.n3
  JOIN check_transaction AS t
    ON t.tid = h1.tid
  WHERE
    s.seen < 20
) AS p
GROUP BY
  p.n1,
  p.n2,
  p.n3;

-- counted-3
-- check_counted_3: counts the sets of size 3, and those that fewer than k persons hold
SELECT
  (
    SELECT
      COUNT(*) AS n
    FROM check_set_3 AS s
  ) AS checked,
  COUNT(CASE WHEN f.persons < 20 THEN 1 END) AS found
FROM check_few_3 AS f;

-- violations-3
-- check_violations_3: lists the sets of 3 nodes that fewer than k persons hold, the fewest first
SELECT
  s.support AS support,
  s.persons AS persons,
  c1.level AS level1,
  c1.name AS name1,
  c2.level AS level2,
  c2.name AS name2,
  c3.level AS level3,
  c3.name AS name3
FROM check_few_3 AS s
JOIN check_node AS c1
  ON c1.node = s.n1
JOIN check_node AS c2
  ON c2.node = s.n2
JOIN check_node AS c3
  ON c3.node = s.n3
WHERE
  s.persons < 20
ORDER BY
  s.persons,
  s.support,
  s.n1,
  s.n2,
  s.n3
LIMIT 10;

-- counted-0
-- check_counted_0: counts the sets of size 0, and those that fewer than k persons hold
SELECT
  (
    SELECT
      COUNT(*) AS n
    FROM check_set_0 AS s
  ) AS checked,
  COUNT(CASE WHEN f.persons < 20 THEN 1 END) AS found
FROM check_set_0 AS f;

-- members
-- check_member: each row is a kind of transactions with equal nodes, and a person with some of them
SELECT
  c.tid AS tid,
  c.n AS n,
  c.person AS person,
  COUNT(*) AS copies
FROM (
  SELECT
    MIN(t.tid) OVER (PARTITION BY t.nodes) AS tid,
    t.n AS n,
    t.person AS person
  FROM (
    SELECT
      h.tid AS tid,
      MIN(o.person) AS person,
      COUNT(*) AS n,
      LISTAGG(CAST(h.node AS TEXT), ' '
      ORDER BY
        h.node) AS nodes
    FROM check_held AS h
    JOIN check_transaction AS o
      ON o.tid = h.tid
    GROUP BY
      h.tid
  ) AS t
) AS c
GROUP BY
  c.tid,
  c.n,
  c.person;

-- kinds
-- check_kind: each row is a kind of transactions with equal nodes, and its persons
SELECT
  m.tid AS tid,
  m.n AS n,
  CAST(SUM(m.copies) AS BIGINT) AS copies,
  COUNT(*) AS persons
FROM check_member AS m
GROUP BY
  m.tid,
  m.n;

-- fitting
-- check_set_0: each row is a kind of fewer than k persons, with the persons of all its nodes
SELECT
  p.tid AS tid,
  p.n AS n,
  CAST(SUM(p.copies) AS BIGINT) AS support,
  COUNT(*) AS persons
FROM (
  SELECT
    s.tid AS tid,
    s.n AS n,
    m.person AS person,
    CAST(SUM(m.copies) AS BIGINT) AS copies
  FROM (
    SELECT
      r.tid AS tid,
      r.n AS n,
      q.tid AS other
    FROM check_kind AS r
    JOIN check_held AS own
      ON own.tid = r.tid
    JOIN check_held AS held
      ON held.node = own.node
    JOIN check_kind AS q
      ON q.tid = held.tid
    WHERE
      r.persons < 20
    GROUP BY
      r.tid,
      r.n,
      q.tid
    HAVING
      COUNT(*) = r.n
  ) AS s
  JOIN check_member AS m
    ON m.tid = s.other
  GROUP BY
    s.tid,
    s.n,
    m.person
) AS p
GROUP BY
  p.tid,
  p.n;

-- whole
-- check_whole: lists the nodes of transactions whose nodes fewer than k persons hold
SELECT
  v.place AS place,
  v.support AS support,
  v.persons AS persons,
  c.level AS level,
  c.name AS name
FROM (
  SELECT
    s.tid AS tid,
    s.support AS support,
    s.persons AS persons,
    ROW_NUMBER() OVER (ORDER BY s.n, s.persons, s.support, s.tid) AS place
  FROM check_set_0 AS s
  WHERE
    s.persons < 20
) AS v
JOIN check_held AS h
  ON h.tid = v.tid
JOIN check_node AS c
  ON c.node = h.node
WHERE
  v.place <= 10
ORDER BY
  place,
  level,
  name;
