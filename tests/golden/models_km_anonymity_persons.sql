-- tree
-- tree: each row is a node of the hierarchy with the persons, transactions and occurrences below it
SELECT
  n.node AS node,
  COALESCE(n.parent, -1) AS parent,
  n.level AS level,
  n.leaves AS leaves,
  COALESCE(h.support, 0) AS support,
  COALESCE(h.held, 0) AS held,
  COALESCE(h.persons, 0) AS persons
FROM node AS n
LEFT JOIN (
  SELECT
    p.pair // 300 AS node,
    CAST(SUM(p.support) AS BIGINT) AS support,
    CAST(SUM(p.held) AS BIGINT) AS held,
    COUNT(*) AS persons
  FROM (
    SELECT
      (
        t.pair // 1000
      ) * 300 + b.person AS pair,
      COUNT(*) AS support,
      CAST(SUM(t.held) AS BIGINT) AS held
    FROM (
      SELECT
        CAST(p.node AS BIGINT) * 1000 + o.tid AS pair,
        COUNT(*) AS held
      FROM occurrence AS o
      JOIN path AS p
        ON p.item = o.item
      GROUP BY
        CAST(p.node AS BIGINT) * 1000 + o.tid
    ) AS t
    JOIN basket AS b
      ON b.tid = t.pair % 1000
    GROUP BY
      (
        t.pair // 1000
      ) * 300 + b.person
  ) AS p
  GROUP BY
    p.pair // 300
) AS h
  ON h.node = n.node
ORDER BY
  node;

-- kinds-10
-- kind_3: each row is a transaction, one that is equal when generalized, and its person
SELECT
  t.tid AS tid,
  MIN(t.tid) OVER (PARTITION BY t.word_0) AS kind,
  b.person AS person
FROM (
  SELECT
    o.tid AS tid,
    COALESCE(
      BIT_OR(
        CASE
          WHEN q.place >= 0 AND q.place < 62
          THEN CAST(1 AS BIGINT) << CAST(q.place AS INT)
        END
      ),
      0
    ) AS word_0
  FROM occurrence AS o
  JOIN (
    SELECT
      r.item AS item,
      DENSE_RANK() OVER (ORDER BY r.node) - 1 AS place
    FROM recoded_3 AS r
  ) AS q
    ON q.item = o.item
  GROUP BY
    o.tid
) AS t
JOIN basket AS b
  ON b.tid = t.tid;

-- kinds-1000
-- kind_3: each row is a transaction, one that is equal when generalized, and its person
SELECT
  b.tid AS tid,
  b.tid AS kind,
  b.person AS person
FROM basket AS b;

-- general-5
-- general_3: each row is a generalized transaction and a node it holds; weight counts equal transactions, and bits distinguish their persons
SELECT
  h.tid AS tid,
  h.node AS node,
  g.weight AS weight,
  g.seen_0 AS seen_0
FROM (
  SELECT DISTINCT
    o.tid AS tid,
    r.node AS node
  FROM occurrence AS o
  JOIN recoded_3 AS r
    ON r.item = o.item
) AS h
JOIN (
  SELECT
    q.kind AS tid,
    COUNT(*) AS weight,
    BIT_OR(CAST(1 AS BIGINT) << CAST(q.person % 62 AS INT)) AS seen_0
  FROM kind_3 AS q
  GROUP BY
    q.kind
) AS g
  ON g.tid = h.tid;

-- general-20
-- general_3: each row is a generalized transaction and a node it holds; weight counts equal transactions, and bits distinguish their persons
SELECT
  h.tid AS tid,
  h.node AS node,
  g.weight AS weight,
  g.seen_0 AS seen_0,
  g.seen_1 AS seen_1
FROM (
  SELECT DISTINCT
    o.tid AS tid,
    r.node AS node
  FROM occurrence AS o
  JOIN recoded_3 AS r
    ON r.item = o.item
) AS h
JOIN (
  SELECT
    q.kind AS tid,
    COUNT(*) AS weight,
    COALESCE(
      BIT_OR(
        CASE
          WHEN q.person % 124 >= 0 AND q.person % 124 < 62
          THEN CAST(1 AS BIGINT) << CAST(q.person % 124 AS INT)
        END
      ),
      0
    ) AS seen_0,
    COALESCE(
      BIT_OR(
        CASE
          WHEN q.person % 124 >= 62 AND q.person % 124 < 124
          THEN CAST(1 AS BIGINT) << CAST(q.person % 124 - 62 AS INT)
        END
      ),
      0
    ) AS seen_1
  FROM kind_3 AS q
  GROUP BY
    q.kind
) AS g
  ON g.tid = h.tid;

-- doubts-2
-- doubt_3_2: each row is a set of 2 nodes that may be of fewer than k persons, and its support
SELECT
  g1.node AS n1,
  g2.node AS n2,
  CAST(SUM(g1.weight) AS BIGINT) AS support
FROM general_3 AS g1
JOIN general_3 AS g2
  ON g2.tid = g1.tid AND g1.node < g2.node
GROUP BY
  g1.node,
  g2.node
HAVING
  CAST(BIT_COUNT(BIT_OR(g1.seen_0)) AS INT) + CAST(BIT_COUNT(BIT_OR(g1.seen_1)) AS INT) < 20;

-- held-2
-- held_3_2: counts the transactions of sets in doubt: the run refuses too many
SELECT
  CAST(COALESCE(SUM(d.support), 0) AS BIGINT) AS held
FROM doubt_3_2 AS d;

-- violations-2
-- violations_3_2: each row has the parents of 2 nodes with too few persons: a cut must keep one
SELECT DISTINCT
  a1.parent AS p1,
  a2.parent AS p2
FROM (
  SELECT
    d.n1 AS n1,
    d.n2 AS n2
  FROM doubt_3_2 AS d
  WHERE
    d.support < 20
  UNION ALL
  SELECT
    p.n1 AS n1,
    p.n2 AS n2
  FROM (
    SELECT DISTINCT
      d.n1 AS n1,
      d.n2 AS n2,
      q.person AS person
    FROM doubt_3_2 AS d
    JOIN general_3 AS g1
      ON g1.node = d.n1
    JOIN general_3 AS g2
      ON g2.tid = g1.tid AND g2.node = d.n2
    JOIN kind_3 AS q
      ON q.kind = g1.tid
    WHERE
      d.support >= 20
  ) AS p
  GROUP BY
    p.n1,
    p.n2
  HAVING
    COUNT(*) < 20
) AS v
JOIN node AS a1
  ON a1.node = v.n1
JOIN node AS a2
  ON a2.node = v.n2
ORDER BY
  p1,
  p2
LIMIT 100;

-- doubts-3
-- doubt_3_3: each row is a set of 3 nodes that may be of fewer than k persons, and its support
SELECT
  g1.node AS n1,
  g2.node AS n2,
  g3.node AS n3,
  CAST(SUM(g1.weight) AS BIGINT) AS support
FROM general_3 AS g1
JOIN general_3 AS g2
  ON g2.tid = g1.tid AND g1.node < g2.node
JOIN general_3 AS g3
  ON g3.tid = g1.tid AND g2.node < g3.node
GROUP BY
  g1.node,
  g2.node,
  g3.node
HAVING
  CAST(BIT_COUNT(BIT_OR(g1.seen_0)) AS INT) + CAST(BIT_COUNT(BIT_OR(g1.seen_1)) AS INT) < 20;

-- held-3
-- held_3_3: counts the transactions of sets in doubt: the run refuses too many
SELECT
  CAST(COALESCE(SUM(d.support), 0) AS BIGINT) AS held
FROM doubt_3_3 AS d;

-- violations-3
-- violations_3_3: each row has the parents of 3 nodes with too few persons: a cut must keep one
SELECT DISTINCT
  a1.parent AS p1,
  a2.parent AS p2,
  a3.parent AS p3
FROM (
  SELECT
    d.n1 AS n1,
    d.n2 AS n2,
    d.n3 AS n3
  FROM doubt_3_3 AS d
  WHERE
    d.support < 20
  UNION ALL
  SELECT
    p.n1 AS n1,
    p.n2 AS n2,
    p.n3 AS n3
  FROM (
    SELECT DISTINCT
      d.n1 AS n1,
      d.n2 AS n2,
      d.n3 AS n3,
      q.person AS person
    FROM doubt_3_3 AS d
    JOIN general_3 AS g1
      ON g1.node = d.n1
    JOIN general_3 AS g2
      ON g2.tid = g1.tid AND g2.node = d.n2
    JOIN general_3 AS g3
      ON g3.tid = g1.tid AND g3.node = d.n3
    JOIN kind_3 AS q
      ON q.kind = g1.tid
    WHERE
      d.support >= 20
  ) AS p
  GROUP BY
    p.n1,
    p.n2,
    p.n3
  HAVING
    COUNT(*) < 20
) AS v
JOIN node AS a1
  ON a1.node = v.n1
JOIN node AS a2
  ON a2.node = v.n2
JOIN node AS a3
  ON a3.node = v.n3
ORDER BY
  p1,
  p2,
  p3
LIMIT 100;
