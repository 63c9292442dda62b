-- known
-- check_known: each row is a transaction and a node that its twins must hold, or NULL for another item
SELECT DISTINCT
  r.key AS key,
  CASE
    WHEN NOT p.label IS NULL OR COALESCE(CAST(0 AS INT), -1) <> 0
    THEN CAST(r.name AS TEXT)
  END AS name
FROM cells AS r
LEFT JOIN role AS p
  ON p.label = CAST(r.name AS TEXT) AND p.private = 0;

-- known-levels
-- check_known: each row is a transaction and a node that its twins must hold, or NULL for another item
SELECT DISTINCT
  r.key AS key,
  CASE
    WHEN NOT p.label IS NULL OR COALESCE(CAST(r.level AS INT), -1) <> 0
    THEN CAST(r.name AS TEXT)
  END AS name,
  r.level AS level
FROM cells AS r
LEFT JOIN role AS p
  ON p.label = CAST(r.name AS TEXT) AND p.private = 0;

-- keys
-- check_key: each row is a transaction of the release, numbered by key
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY c.key) - 1 AS INT) AS tid,
  c.key AS key
FROM (
  SELECT DISTINCT
    r.key AS key
  FROM cells AS r
  WHERE
    NOT r.key IS NULL
) AS c;

-- unkeyed
-- check_unkeyed: counts rows without a transaction id: there must be none
SELECT
  COUNT(*) AS unkeyed
FROM cells AS r
WHERE
  r.key IS NULL;

-- nodes
-- check_node: each row is a node that the release publishes, in numbers
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY n.level, n.label) AS INT) AS node,
  n.level AS level,
  n.label AS label
FROM (
  SELECT DISTINCT
    COALESCE(CAST(0 AS INT), -1) AS level,
    CAST(r.name AS TEXT) AS label
  FROM cells AS r
  WHERE
    NOT r.name IS NULL
) AS n;

-- holdings
-- check_held: each row is a transaction and a node it holds, in numbers
SELECT DISTINCT
  k.tid AS tid,
  n.node AS node
FROM cells AS r
JOIN check_key AS k
  ON k.key = r.key
JOIN check_node AS n
  ON n.label = CAST(r.name AS TEXT) AND n.level = COALESCE(CAST(0 AS INT), -1);

-- nodes-levels
-- check_node: each row is a node that the release publishes, in numbers
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY n.level, n.label) AS INT) AS node,
  n.level AS level,
  n.label AS label
FROM (
  SELECT DISTINCT
    COALESCE(CAST(r.level AS INT), -1) AS level,
    CAST(r.name AS TEXT) AS label
  FROM cells AS r
  WHERE
    NOT r.name IS NULL
) AS n;

-- holdings-levels
-- check_held: each row is a transaction and a node it holds, in numbers
SELECT DISTINCT
  k.tid AS tid,
  n.node AS node
FROM cells AS r
JOIN check_key AS k
  ON k.key = r.key
JOIN check_node AS n
  ON n.label = CAST(r.name AS TEXT) AND n.level = COALESCE(CAST(r.level AS INT), -1);

-- alike
-- check_twin_1: each row is a transaction and its first twin: both have equal nodes
SELECT
  s.tid AS tid,
  s.size AS size,
  MIN(s.tid) OVER (PARTITION BY s.nodes) AS first
FROM (
  SELECT
    k.tid AS tid,
    COUNT(h.node) AS size,
    LISTAGG(CAST(h.node AS TEXT), ' '
    ORDER BY
      h.node) AS nodes
  FROM check_key AS k
  LEFT JOIN check_held AS h
    ON h.tid = k.tid
  GROUP BY
    k.tid
) AS s;

-- likely
-- check_twin_1: each row is a transaction and its first likely twin: both have equal sums over their nodes
SELECT
  s.tid AS tid,
  s.size AS size,
  MIN(s.tid) OVER (PARTITION BY s.size, s.least, s.most, s.total, s.mixed) AS first
FROM (
  SELECT
    k.tid AS tid,
    COUNT(h.node) AS size,
    COALESCE(MIN(h.node % 2147483647), 0) AS least,
    COALESCE(MAX(h.node % 2147483647), 0) AS most,
    CAST(COALESCE(SUM(h.node % 2147483647), 0) AS BIGINT) AS total,
    CAST(COALESCE(SUM(CAST(h.node AS BIGINT) * 48271 % 2147483647 * h.node % 2147483647), 0) AS BIGINT) AS mixed
  FROM check_key AS k
  LEFT JOIN check_held AS h
    ON h.tid = k.tid
  GROUP BY
    k.tid
) AS s;

-- unlike
-- check_unlike_1: each row is a transaction that differs from its first likely twin in a node
SELECT
  t.tid AS tid
FROM check_twin_1 AS t
JOIN check_held AS h
  ON h.tid = t.tid
LEFT JOIN check_held AS f
  ON f.tid = t.first AND f.node = h.node
GROUP BY
  t.tid
HAVING
  COUNT(f.node) < COUNT(*);

-- regrouped
-- check_twin_2: each row is a transaction and its first likely twin; those that differed are set apart
SELECT
  t.tid AS tid,
  t.size AS size,
  MIN(t.tid) OVER (PARTITION BY t.first, CASE WHEN u.tid IS NULL THEN 0 ELSE 1 END) AS first
FROM check_twin_1 AS t
LEFT JOIN check_unlike_1 AS u
  ON u.tid = t.tid;

-- classes
-- check_class: each row is a class of transactions that hold equal nodes
SELECT
  t.first AS first,
  t.size AS size,
  COUNT(*) AS transactions
FROM check_twin_2 AS t
GROUP BY
  t.first,
  t.size;

-- keys_of_persons
-- check_key: each row is a transaction of the release, numbered by key, and its person
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY o.key) - 1 AS INT) AS tid,
  o.key AS key,
  o.person AS person
FROM check_owner AS o;

-- classes_of_persons
-- check_class: each row is a class of transactions that hold equal nodes, with its persons
SELECT
  p.first AS first,
  p.size AS size,
  CAST(SUM(p.transactions) AS BIGINT) AS transactions,
  COUNT(*) AS persons
FROM (
  SELECT
    t.first AS first,
    t.size AS size,
    r.person AS person,
    COUNT(*) AS transactions
  FROM check_twin_2 AS t
  JOIN check_key AS r
    ON r.tid = t.tid
  GROUP BY
    t.first,
    t.size,
    r.person
) AS p
GROUP BY
  p.first,
  p.size;

-- summary
-- summary: counts the classes, and those of fewer than k transactions: there must be none
SELECT
  COUNT(*) AS classes,
  COUNT(CASE WHEN c.transactions < 20 THEN 1 END) AS small,
  COALESCE(MIN(c.transactions), 0) AS smallest,
  CAST(COALESCE(SUM(c.transactions), 0) AS BIGINT) AS transactions,
  CAST(COALESCE(SUM(c.transactions * c.transactions), 0) AS BIGINT) AS discernibility
FROM check_class AS c;

-- violations
-- violations: lists the nodes of the smallest classes below k
SELECT
  w.place AS place,
  w.transactions AS transactions,
  w.size AS size,
  w.level AS level,
  w.label AS label
FROM (
  SELECT
    v.place AS place,
    v.transactions AS transactions,
    v.size AS size,
    n.level AS level,
    n.label AS label,
    ROW_NUMBER() OVER (PARTITION BY v.place ORDER BY n.level, n.label) AS number
  FROM (
    SELECT
      c.first AS first,
      c.size AS size,
      c.transactions AS transactions,
      ROW_NUMBER() OVER (ORDER BY c.transactions, c.size, c.first) AS place
    FROM check_class AS c
    WHERE
      c.transactions < 20
  ) AS v
  LEFT JOIN check_held AS h
    ON h.tid = v.first
  LEFT JOIN check_node AS n
    ON n.node = h.node
  WHERE
    v.place <= 20
) AS w
WHERE
  w.number <= 12
ORDER BY
  place,
  level,
  label;

-- summary-persons
-- summary: counts the classes, and those of fewer than k persons: there must be none
SELECT
  COUNT(*) AS classes,
  COUNT(CASE WHEN c.persons < 20 THEN 1 END) AS small,
  COALESCE(MIN(c.transactions), 0) AS smallest,
  CAST(COALESCE(SUM(c.transactions), 0) AS BIGINT) AS transactions,
  CAST(COALESCE(SUM(c.transactions * c.transactions), 0) AS BIGINT) AS discernibility,
  COALESCE(MIN(c.persons), 0) AS fewest
FROM check_class AS c;

-- violations-persons
-- violations: lists the nodes of the smallest classes below k
SELECT
  w.place AS place,
  w.transactions AS transactions,
  w.size AS size,
  w.level AS level,
  w.label AS label,
  w.persons AS persons
FROM (
  SELECT
    v.place AS place,
    v.transactions AS transactions,
    v.size AS size,
    n.level AS level,
    n.label AS label,
    v.persons AS persons,
    ROW_NUMBER() OVER (PARTITION BY v.place ORDER BY n.level, n.label) AS number
  FROM (
    SELECT
      c.first AS first,
      c.size AS size,
      c.transactions AS transactions,
      c.persons AS persons,
      ROW_NUMBER() OVER (ORDER BY c.persons, c.size, c.first) AS place
    FROM check_class AS c
    WHERE
      c.persons < 20
  ) AS v
  LEFT JOIN check_held AS h
    ON h.tid = v.first
  LEFT JOIN check_node AS n
    ON n.node = h.node
  WHERE
    v.place <= 20
) AS w
WHERE
  w.number <= 12
ORDER BY
  place,
  level,
  label;
