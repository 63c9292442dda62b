-- tree
-- tree: each row is a node of the hierarchy with the transactions and occurrences below it
SELECT
  n.node AS node,
  COALESCE(n.parent, -1) AS parent,
  n.level AS level,
  n.leaves AS leaves,
  COALESCE(h.support, m.held, 0) AS support,
  COALESCE(m.held, 0) AS held
FROM node AS n
LEFT JOIN (
  SELECT
    b.node AS node,
    CAST(SUM(BIT_COUNT(b.bits)) AS BIGINT) AS support
  FROM (
    SELECT
      p.node AS node,
      t.block AS block,
      BIT_OR(t.bits) AS bits
    FROM (
      SELECT
        r.id AS id,
        CAST(r.tid // 63 AS INT) AS block,
        BIT_OR(CAST(1 AS BIGINT) << CAST(r.tid % 63 AS INT)) AS bits
      FROM (
        SELECT
          item AS id,
          tid
        FROM occurrence
      ) AS r
      GROUP BY
        r.id,
        CAST(r.tid // 63 AS INT)
    ) AS t
    JOIN path AS p
      ON p.item = t.id
    WHERE
      p.level > 0
    GROUP BY
      p.node,
      t.block
  ) AS b
  GROUP BY
    b.node
) AS h
  ON h.node = n.node
LEFT JOIN (
  SELECT
    p.node AS node,
    CAST(SUM(i.support) AS BIGINT) AS held
  FROM path AS p
  JOIN item AS i
    ON i.item = p.item
  GROUP BY
    p.node
) AS m
  ON m.node = n.node
ORDER BY
  node;

-- recoded
-- recoded_3: each row is an item and its published node: the highest node above it that is not split
SELECT
  p.item AS item,
  MAX(p.node) AS node
FROM path AS p
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM split_3 AS s
    WHERE
      s.item = p.node
  )
GROUP BY
  p.item;

-- general
-- general_3: each row is a generalized transaction and a node it holds; weight counts equal transactions
SELECT
  h.tid AS tid,
  h.node AS node,
  g.weight AS weight
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
    MIN(t.tid) AS tid,
    COUNT(*) AS weight
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
      ) AS word_0,
      COALESCE(
        BIT_OR(
          CASE
            WHEN q.place >= 62 AND q.place < 124
            THEN CAST(1 AS BIGINT) << CAST(q.place - 62 AS INT)
          END
        ),
        0
      ) AS word_1
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
  GROUP BY
    t.word_0,
    t.word_1
) AS g
  ON g.tid = h.tid;

-- general-many
-- general_3: each row is a generalized transaction and a node it holds; weight counts equal transactions
SELECT
  h.tid AS tid,
  h.node AS node,
  1 AS weight
FROM (
  SELECT DISTINCT
    o.tid AS tid,
    r.node AS node
  FROM occurrence AS o
  JOIN recoded_3 AS r
    ON r.item = o.item
) AS h;

-- lengths
-- lengths_3: counts generalized transactions by length, which bounds the sets of nodes to count
SELECT
  counted.held AS held,
  COUNT(*) AS transactions
FROM (
  SELECT
    r.tid AS owner,
    COUNT(*) AS held
  FROM general_3 AS r
  GROUP BY
    r.tid
) AS counted
GROUP BY
  counted.held
ORDER BY
  held;

-- item_lengths
-- lengths: counts transactions by length, which bounds the sets of nodes to count in every round
SELECT
  counted.held AS held,
  COUNT(*) AS transactions
FROM (
  SELECT
    r.tid AS owner,
    COUNT(*) AS held
  FROM occurrence AS r
  GROUP BY
    r.tid
) AS counted
GROUP BY
  counted.held
ORDER BY
  held;

-- violations-2
-- violations_3_2: each row has the parents of 2 nodes with too few transactions: a cut must keep one
SELECT DISTINCT
  a1.parent AS p1,
  a2.parent AS p2
FROM (
  SELECT
    g1.node AS n1,
    g2.node AS n2
  FROM general_3 AS g1
  JOIN general_3 AS g2
    ON g2.tid = g1.tid AND g1.node < g2.node
  GROUP BY
    g1.node,
    g2.node
  HAVING
    SUM(g1.weight) < 20
) AS v
JOIN node AS a1
  ON a1.node = v.n1
JOIN node AS a2
  ON a2.node = v.n2
ORDER BY
  p1,
  p2
LIMIT 100;

-- violations-2-fresh
-- violations_3_2: each row has the parents of 2 nodes with too few transactions: a cut must keep one; sets without a node that is listed here were counted in an earlier cut
SELECT DISTINCT
  a1.parent AS p1,
  a2.parent AS p2
FROM (
  SELECT
    g1.node AS n1,
    g2.node AS n2
  FROM general_3 AS g1
  JOIN (
    SELECT
      CAST(v.node AS INT) AS node
    FROM (VALUES
      (7),
      (9)) AS v(node)
  ) AS f1
    ON f1.node = g1.node
  JOIN (
    SELECT
      g.tid AS tid,
      g.node AS node,
      CASE WHEN f.node IS NULL THEN 2147483647 ELSE f.node END AS place
    FROM general_3 AS g
    LEFT JOIN (
      SELECT
        CAST(v.node AS INT) AS node
      FROM (VALUES
        (7),
        (9)) AS v(node)
    ) AS f
      ON f.node = g.node
  ) AS g2
    ON g2.tid = g1.tid AND g2.place > g1.node
  GROUP BY
    g1.node,
    g2.node
  HAVING
    SUM(g1.weight) < 20
) AS v
JOIN node AS a1
  ON a1.node = v.n1
JOIN node AS a2
  ON a2.node = v.n2
ORDER BY
  p1,
  p2
LIMIT 100;

-- violations-3
-- violations_3_3: each row has the parents of 3 nodes with too few transactions: a cut must keep one
SELECT DISTINCT
  a1.parent AS p1,
  a2.parent AS p2,
  a3.parent AS p3
FROM (
  SELECT
    g1.node AS n1,
    g2.node AS n2,
    g3.node AS n3
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
    SUM(g1.weight) < 20
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

-- violations-3-fresh
-- violations_3_3: each row has the parents of 3 nodes with too few transactions: a cut must keep one; sets without a node that is listed here were counted in an earlier cut
SELECT DISTINCT
  a1.parent AS p1,
  a2.parent AS p2,
  a3.parent AS p3
FROM (
  SELECT
    g1.node AS n1,
    g2.node AS n2,
    g3.node AS n3
  FROM general_3 AS g1
  JOIN (
    SELECT
      CAST(v.node AS INT) AS node
    FROM (VALUES
      (7),
      (9)) AS v(node)
  ) AS f1
    ON f1.node = g1.node
  JOIN (
    SELECT
      g.tid AS tid,
      g.node AS node,
      CASE WHEN f.node IS NULL THEN 2147483647 ELSE f.node END AS place
    FROM general_3 AS g
    LEFT JOIN (
      SELECT
        CAST(v.node AS INT) AS node
      FROM (VALUES
        (7),
        (9)) AS v(node)
    ) AS f
      ON f.node = g.node
  ) AS g2
    ON g2.tid = g1.tid AND g2.place > g1.node
  JOIN (
    SELECT
      g.tid AS tid,
      g.node AS node,
      CASE WHEN f.node IS NULL THEN 2147483647 ELSE f.node END AS place
    FROM general_3 AS g
    LEFT JOIN (
      SELECT
        CAST(v.node AS INT) AS node
      FROM (VALUES
        (7),
        (9)) AS v(node)
    ) AS f
      ON f.node = g.node
  ) AS g3
    ON g3.tid = g1.tid AND g3.place > g1.node AND g2.node < g3.node
  GROUP BY
    g1.node,
    g2.node,
    g3.node
  HAVING
    SUM(g1.weight) < 20
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
