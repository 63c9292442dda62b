-- climb
-- climb: each row is a public item and a node that can be published in its place
SELECT
  p.item AS item,
  p.node AS node
FROM path AS p
JOIN public_item AS r
  ON r.item = p.item;

-- secrets
-- secret: each row is a private item that a transaction holds
SELECT
  o.tid AS tid,
  o.item AS item
FROM occurrence AS o
JOIN private_item AS r
  ON r.item = o.item;

-- above
-- above: each row is a transaction and a node above one of its items
SELECT DISTINCT
  o.tid AS tid,
  c.node AS node
FROM occurrence AS o
JOIN climb AS c
  ON c.item = o.item;

-- forest
-- forest: each row is a node with its public leaves and their occurrences; a node is fit if it is no mole by itself
WITH told AS (
  SELECT
    q.node AS node,
    MAX(q.hits) AS hits,
    MAX(q.whose) AS whose
  FROM (
    SELECT
      a.node AS node,
      s.item AS item,
      COUNT(*) AS hits,
      COUNT(*) AS whose
    FROM above AS a
    JOIN secret AS s
      ON s.tid = a.tid
    GROUP BY
      a.node,
      s.item
  ) AS q
  GROUP BY
    q.node
), held AS (
  SELECT
    c.node AS node,
    CAST(SUM(i.support) AS BIGINT) AS held
  FROM climb AS c
  JOIN item AS i
    ON i.item = c.item
  GROUP BY
    c.node
)
SELECT
  n.node AS node,
  COALESCE(n.parent, -1) AS parent,
  n.leaves - COALESCE(x.leaves, 0) AS leaves,
  COALESCE(h.held, 0) AS held,
  CASE
    WHEN a.number >= 20
    AND COALESCE(t.hits, 0) * 5 <= 2 * a.support
    AND COALESCE(t.whose, 0) * 5 <= 2 * a.number
    AND NOT EXISTS(
      SELECT
        1 AS one
      FROM node AS c
      JOIN held AS b
        ON b.node = c.node
      WHERE
        c.parent = n.node AND b.held = h.held
    )
    THEN 1
    ELSE 0
  END AS fit
FROM node AS n
LEFT JOIN held AS h
  ON h.node = n.node
LEFT JOIN (
  SELECT
    a.node AS node,
    COUNT(*) AS support,
    COUNT(*) AS number
  FROM above AS a
  GROUP BY
    a.node
) AS a
  ON a.node = n.node
LEFT JOIN told AS t
  ON t.node = n.node
LEFT JOIN (
  SELECT
    p.node AS node,
    COUNT(*) AS leaves
  FROM path AS p
  WHERE
    NOT EXISTS(
      SELECT
        1 AS one
      FROM public_item AS r
      WHERE
        r.item = p.item
    )
  GROUP BY
    p.node
) AS x
  ON x.node = n.node;

-- lifted
-- lifted: each row is a transaction and a node that may be published for it
SELECT
  a.tid AS tid,
  a.node AS node
FROM above AS a
JOIN forest AS f
  ON f.node = a.node
WHERE
  f.fit = 1;

-- chosen
-- general_1: each row is a transaction and a node that the cut publishes
SELECT
  l.tid AS tid,
  l.node AS node
FROM lifted AS l
JOIN cut_1 AS c
  ON c.item = l.node;

-- conflicts-2
-- conflict_2: each row is a mole of 2 nodes: at least one of them must not be published
SELECT
  g1.node AS node_1,
  g2.node AS node_2
FROM lifted AS g1
JOIN lifted AS g2
  ON g2.tid = g1.tid AND g1.node < g2.node
GROUP BY
  g1.node,
  g2.node
HAVING
  COUNT(*) < 20;

-- conflicts-2-private
-- conflict_2: each row is a mole of 2 nodes: at least one of them must not be published
WITH met AS (
  SELECT
    g1.node AS node_1,
    g2.node AS node_2,
    COUNT(*) AS support,
    COUNT(*) AS number
  FROM lifted AS g1
  JOIN lifted AS g2
    ON g2.tid = g1.tid AND g1.node < g2.node
  GROUP BY
    g1.node,
    g2.node
), told AS (
  SELECT
    g1.node AS node_1,
    g2.node AS node_2,
    s.item AS secret,
    COUNT(*) AS hits,
    COUNT(*) AS whose
  FROM lifted AS g1
  JOIN lifted AS g2
    ON g2.tid = g1.tid AND g1.node < g2.node
  JOIN secret AS s
    ON s.tid = g1.tid
  GROUP BY
    g1.node,
    g2.node,
    s.item
)
SELECT
  m.node_1 AS node_1,
  m.node_2 AS node_2
FROM met AS m
LEFT JOIN (
  SELECT
    t.node_1 AS node_1,
    t.node_2 AS node_2,
    MAX(t.hits) AS hits,
    MAX(t.whose) AS whose
  FROM told AS t
  GROUP BY
    t.node_1,
    t.node_2
) AS w
  ON w.node_1 = m.node_1 AND w.node_2 = m.node_2
WHERE
  m.number < 20
  OR COALESCE(w.hits, 0) * 5 > 2 * m.support
  OR COALESCE(w.whose, 0) * 5 > 2 * m.number;

-- conflicts-3
-- conflict_3: each row is a mole of 3 nodes: at least one of them must not be published
SELECT
  g1.node AS node_1,
  g2.node AS node_2,
  g3.node AS node_3
FROM lifted AS g1
JOIN lifted AS g2
  ON g2.tid = g1.tid AND g1.node < g2.node
JOIN lifted AS g3
  ON g3.tid = g1.tid AND g2.node < g3.node
GROUP BY
  g1.node,
  g2.node,
  g3.node
HAVING
  COUNT(*) < 20;

-- conflicts-3-private
-- conflict_3: each row is a mole of 3 nodes: at least one of them must not be published
WITH met AS (
  SELECT
    g1.node AS node_1,
    g2.node AS node_2,
    g3.node AS node_3,
    COUNT(*) AS support,
    COUNT(*) AS number
  FROM lifted AS g1
  JOIN lifted AS g2
    ON g2.tid = g1.tid AND g1.node < g2.node
  JOIN lifted AS g3
    ON g3.tid = g1.tid AND g2.node < g3.node
  GROUP BY
    g1.node,
    g2.node,
    g3.node
), told AS (
  SELECT
    g1.node AS node_1,
    g2.node AS node_2,
    g3.node AS node_3,
    s.item AS secret,
    COUNT(*) AS hits,
    COUNT(*) AS whose
  FROM lifted AS g1
  JOIN lifted AS g2
    ON g2.tid = g1.tid AND g1.node < g2.node
  JOIN lifted AS g3
    ON g3.tid = g1.tid AND g2.node < g3.node
  JOIN secret AS s
    ON s.tid = g1.tid
  GROUP BY
    g1.node,
    g2.node,
    g3.node,
    s.item
)
SELECT
  m.node_1 AS node_1,
  m.node_2 AS node_2,
  m.node_3 AS node_3
FROM met AS m
LEFT JOIN (
  SELECT
    t.node_1 AS node_1,
    t.node_2 AS node_2,
    t.node_3 AS node_3,
    MAX(t.hits) AS hits,
    MAX(t.whose) AS whose
  FROM told AS t
  GROUP BY
    t.node_1,
    t.node_2,
    t.node_3
) AS w
  ON w.node_1 = m.node_1 AND w.node_2 = m.node_2 AND w.node_3 = m.node_3
WHERE
  m.number < 20
  OR COALESCE(w.hits, 0) * 5 > 2 * m.support
  OR COALESCE(w.whose, 0) * 5 > 2 * m.number;

-- above-persons
-- above: each row is a transaction and a node above one of its items
SELECT DISTINCT
  o.tid AS tid,
  c.node AS node,
  b.person AS person
FROM occurrence AS o
JOIN climb AS c
  ON c.item = o.item
JOIN basket AS b
  ON b.tid = o.tid;

-- forest-persons
-- forest: each row is a node with its public leaves and their occurrences; a node is fit if it is no mole by itself
WITH told AS (
  SELECT
    q.node AS node,
    MAX(q.hits) AS hits,
    MAX(q.whose) AS whose
  FROM (
    SELECT
      a.node AS node,
      s.item AS item,
      COUNT(*) AS hits,
      COUNT(DISTINCT a.person) AS whose
    FROM above AS a
    JOIN secret AS s
      ON s.tid = a.tid
    GROUP BY
      a.node,
      s.item
  ) AS q
  GROUP BY
    q.node
), held AS (
  SELECT
    c.node AS node,
    CAST(SUM(i.support) AS BIGINT) AS held
  FROM climb AS c
  JOIN item AS i
    ON i.item = c.item
  GROUP BY
    c.node
)
SELECT
  n.node AS node,
  COALESCE(n.parent, -1) AS parent,
  n.leaves - COALESCE(x.leaves, 0) AS leaves,
  COALESCE(h.held, 0) AS held,
  CASE
    WHEN a.number >= 20
    AND COALESCE(t.hits, 0) * 5 <= 2 * a.support
    AND COALESCE(t.whose, 0) * 5 <= 2 * a.number
    AND NOT EXISTS(
      SELECT
        1 AS one
      FROM node AS c
      JOIN held AS b
        ON b.node = c.node
      WHERE
        c.parent = n.node AND b.held = h.held
    )
    THEN 1
    ELSE 0
  END AS fit
FROM node AS n
LEFT JOIN held AS h
  ON h.node = n.node
LEFT JOIN (
  SELECT
    a.node AS node,
    COUNT(*) AS support,
    COUNT(DISTINCT a.person) AS number
  FROM above AS a
  GROUP BY
    a.node
) AS a
  ON a.node = n.node
LEFT JOIN told AS t
  ON t.node = n.node
LEFT JOIN (
  SELECT
    p.node AS node,
    COUNT(*) AS leaves
  FROM path AS p
  WHERE
    NOT EXISTS(
      SELECT
        1 AS one
      FROM public_item AS r
      WHERE
        r.item = p.item
    )
  GROUP BY
    p.node
) AS x
  ON x.node = n.node;

-- lifted-persons
-- lifted: each row is a transaction and a node that may be published for it
SELECT
  a.tid AS tid,
  a.node AS node,
  a.person AS person
FROM above AS a
JOIN forest AS f
  ON f.node = a.node
WHERE
  f.fit = 1;

-- chosen-persons
-- general_1: each row is a transaction and a node that the cut publishes
SELECT
  l.tid AS tid,
  l.node AS node,
  l.person AS person
FROM lifted AS l
JOIN cut_1 AS c
  ON c.item = l.node;

-- conflicts-2-persons
-- conflict_2: each row is a mole of 2 nodes: at least one of them must not be published
SELECT
  g1.node AS node_1,
  g2.node AS node_2
FROM lifted AS g1
JOIN lifted AS g2
  ON g2.tid = g1.tid AND g1.node < g2.node
GROUP BY
  g1.node,
  g2.node
HAVING
  COUNT(DISTINCT g1.person) < 20;

-- conflicts-2-private-persons
-- conflict_2: each row is a mole of 2 nodes: at least one of them must not be published
WITH met AS (
  SELECT
    g1.node AS node_1,
    g2.node AS node_2,
    COUNT(*) AS support,
    COUNT(DISTINCT g1.person) AS number
  FROM lifted AS g1
  JOIN lifted AS g2
    ON g2.tid = g1.tid AND g1.node < g2.node
  GROUP BY
    g1.node,
    g2.node
), told AS (
  SELECT
    g1.node AS node_1,
    g2.node AS node_2,
    s.item AS secret,
    COUNT(*) AS hits,
    COUNT(DISTINCT g1.person) AS whose
  FROM lifted AS g1
  JOIN lifted AS g2
    ON g2.tid = g1.tid AND g1.node < g2.node
  JOIN secret AS s
    ON s.tid = g1.tid
  GROUP BY
    g1.node,
    g2.node,
    s.item
)
SELECT
  m.node_1 AS node_1,
  m.node_2 AS node_2
FROM met AS m
LEFT JOIN (
  SELECT
    t.node_1 AS node_1,
    t.node_2 AS node_2,
    MAX(t.hits) AS hits,
    MAX(t.whose) AS whose
  FROM told AS t
  GROUP BY
    t.node_1,
    t.node_2
) AS w
  ON w.node_1 = m.node_1 AND w.node_2 = m.node_2
WHERE
  m.number < 20
  OR COALESCE(w.hits, 0) * 5 > 2 * m.support
  OR COALESCE(w.whose, 0) * 5 > 2 * m.number;

-- conflicts-3-persons
-- conflict_3: each row is a mole of 3 nodes: at least one of them must not be published
SELECT
  g1.node AS node_1,
  g2.node AS node_2,
  g3.node AS node_3
FROM lifted AS g1
JOIN lifted AS g2
  ON g2.tid = g1.tid AND g1.node < g2.node
JOIN lifted AS g3
  ON g3.tid = g1.tid AND g2.node < g3.node
GROUP BY
  g1.node,
  g2.node,
  g3.node
HAVING
  COUNT(DISTINCT g1.person) < 20;

-- conflicts-3-private-persons
-- conflict_3: each row is a mole of 3 nodes: at least one of them must not be published
WITH met AS (
  SELECT
    g1.node AS node_1,
    g2.node AS node_2,
    g3.node AS node_3,
    COUNT(*) AS support,
    COUNT(DISTINCT g1.person) AS number
  FROM lifted AS g1
  JOIN lifted AS g2
    ON g2.tid = g1.tid AND g1.node < g2.node
  JOIN lifted AS g3
    ON g3.tid = g1.tid AND g2.node < g3.node
  GROUP BY
    g1.node,
    g2.node,
    g3.node
), told AS (
  SELECT
    g1.node AS node_1,
    g2.node AS node_2,
    g3.node AS node_3,
    s.item AS secret,
    COUNT(*) AS hits,
    COUNT(DISTINCT g1.person) AS whose
  FROM lifted AS g1
  JOIN lifted AS g2
    ON g2.tid = g1.tid AND g1.node < g2.node
  JOIN lifted AS g3
    ON g3.tid = g1.tid AND g2.node < g3.node
  JOIN secret AS s
    ON s.tid = g1.tid
  GROUP BY
    g1.node,
    g2.node,
    g3.node,
    s.item
)
SELECT
  m.node_1 AS node_1,
  m.node_2 AS node_2,
  m.node_3 AS node_3
FROM met AS m
LEFT JOIN (
  SELECT
    t.node_1 AS node_1,
    t.node_2 AS node_2,
    t.node_3 AS node_3,
    MAX(t.hits) AS hits,
    MAX(t.whose) AS whose
  FROM told AS t
  GROUP BY
    t.node_1,
    t.node_2,
    t.node_3
) AS w
  ON w.node_1 = m.node_1 AND w.node_2 = m.node_2 AND w.node_3 = m.node_3
WHERE
  m.number < 20
  OR COALESCE(w.hits, 0) * 5 > 2 * m.support
  OR COALESCE(w.whose, 0) * 5 > 2 * m.number;

-- nodes
-- nodes: lists the nodes, of which setveil chooses those to publish
SELECT
  f.node AS node,
  f.parent AS parent,
  f.leaves AS leaves,
  f.held AS held,
  f.fit AS fit
FROM forest AS f
ORDER BY
  node;

-- lengths
-- lengths: counts transactions by their number of nodes, which bounds the sets of nodes to count
SELECT
  counted.held AS held,
  COUNT(*) AS transactions
FROM (
  SELECT
    r.tid AS owner,
    COUNT(*) AS held
  FROM lifted AS r
  GROUP BY
    r.tid
) AS counted
GROUP BY
  counted.held
ORDER BY
  held;

-- listed
-- conflicts_3: lists the moles of 3 nodes
SELECT
  c.node_1 AS node_1,
  c.node_2 AS node_2,
  c.node_3 AS node_3
FROM conflict_3 AS c
ORDER BY
  c.node_1,
  c.node_2,
  c.node_3;

-- recoded
-- recoded_item: each row is an item and the node that is published in its place; an item that is not public is published unchanged
SELECT
  c.item AS item,
  c.node AS node
FROM climb AS c
JOIN published AS p
  ON p.item = c.node
UNION ALL
SELECT
  i.item AS item,
  i.item AS node
FROM item AS i
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM public_item AS r
    WHERE
      r.item = i.item
  );

-- suppressed
-- suppressed_item: each row is an item that is suppressed: no node is above it
SELECT
  i.item AS item
FROM item AS i
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM recoded_item AS r
    WHERE
      r.item = i.item
  )
ORDER BY
  item;
