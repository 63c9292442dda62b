-- ancestors
-- above: each row is a node, and itself or a node above it but the root
SELECT DISTINCT
  p.node AS node,
  q.node AS above
FROM path AS p
JOIN path AS q
  ON q.item = p.item AND q.node >= p.node
WHERE
  q.node < 1000;

-- extended
-- extended_2: each row is a transaction and a node that its nodes are or could be generalized to
SELECT DISTINCT
  g.tid AS tid,
  a.above AS node,
  g.weight AS weight
FROM general_2 AS g
JOIN above AS a
  ON a.node = g.node;

-- extended_of_persons
-- extended_2: each row is a transaction and a node that its nodes are or could be generalized to
SELECT DISTINCT
  o.tid AS tid,
  a.above AS node,
  b.person AS person
FROM occurrence AS o
JOIN recoded_2 AS r
  ON r.item = o.item
JOIN above AS a
  ON a.node = r.node
JOIN basket AS b
  ON b.tid = o.tid;

-- longest
-- longest_2: finds the most nodes of a transaction: no larger set is held
SELECT
  COALESCE(MAX(t.nodes), 0) AS longest
FROM (
  SELECT
    o.tid AS tid,
    COUNT(DISTINCT r.node) AS nodes
  FROM occurrence AS o
  JOIN recoded_2 AS r
    ON r.item = o.item
  GROUP BY
    o.tid
) AS t;

-- lengths
-- lengths_2: counts extended transactions by length, which bounds the sets of nodes to count
SELECT
  counted.held AS held,
  COUNT(*) AS transactions
FROM (
  SELECT
    r.tid AS owner,
    COUNT(*) AS held
  FROM extended_2 AS r
  GROUP BY
    r.tid
) AS counted
GROUP BY
  counted.held
ORDER BY
  held;

-- rare-2
-- rare_2: each row is a set of 2 nodes of too few: one of them must be generalized
SELECT
  h.n1 AS n1,
  h.n2 AS n2
FROM (
  SELECT
    g1.node AS n1,
    g2.node AS n2,
    g1.weight AS held
  FROM extended_2 AS g1
  JOIN extended_2 AS g2
    ON g2.tid = g1.tid AND g1.node < g2.node
) AS h
GROUP BY
  h.n1,
  h.n2
HAVING
  SUM(h.held) < 20;

-- listed-2
-- listed_2: lists these sets of nodes, which setveil goes through
SELECT
  r.n1 AS n1,
  r.n2 AS n2
FROM rare_2 AS r;

-- rare-3
-- rare_3: each row is a set of 3 nodes of too few: one of them must be generalized
SELECT
  h.n1 AS n1,
  h.n2 AS n2,
  h.n3 AS n3
FROM (
  SELECT
    g1.node AS n1,
    g2.node AS n2,
    g3.node AS n3,
    g1.weight AS held
  FROM extended_3 AS g1
  JOIN extended_3 AS g2
    ON g2.tid = g1.tid AND g1.node < g2.node
  JOIN extended_3 AS g3
    ON g3.tid = g1.tid AND g2.node < g3.node
) AS h
GROUP BY
  h.n1,
  h.n2,
  h.n3
HAVING
  SUM(h.held) < 20;

-- listed-3
-- listed_3: lists these sets of nodes, which setveil goes through
SELECT
  r.n1 AS n1,
  r.n2 AS n2,
  r.n3 AS n3
FROM rare_3 AS r;

-- rare-persons
-- rare_2: each row is a set of 2 nodes of too few: one of them must be generalized
SELECT
  h.n1 AS n1,
  h.n2 AS n2
FROM (
  SELECT
    g1.node AS n1,
    g2.node AS n2,
    g1.person AS held
  FROM extended_2 AS g1
  JOIN extended_2 AS g2
    ON g2.tid = g1.tid AND g1.node < g2.node
) AS h
GROUP BY
  h.n1,
  h.n2
HAVING
  COUNT(DISTINCT h.held) < 20;
