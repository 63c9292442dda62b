-- nodes
-- check_node: each row is a node that the release publishes, numbered by level and name
SELECT
  CAST(DENSE_RANK() OVER (ORDER BY d.level, d.name) - 1 AS BIGINT) AS node,
  d.level AS level,
  d.name AS name
FROM (
  SELECT DISTINCT
    CAST(c.level AS INT) AS level,
    CAST(c.name AS TEXT) AS name
  FROM (
    SELECT
      r."basket no" AS key,
      r."sku" AS name,
      r."level" AS level
    FROM release AS r
  ) AS c
  WHERE
    NOT c.name IS NULL
) AS d;

-- nodes-names
-- check_node: each row is a node that the release publishes, numbered by level and name
SELECT
  CAST(DENSE_RANK() OVER (ORDER BY d.level, d.name) - 1 AS BIGINT) AS node,
  d.level AS level,
  d.name AS name
FROM (
  SELECT DISTINCT
    CAST(0 AS INT) AS level,
    CAST(c.name AS TEXT) AS name
  FROM (
    SELECT
      r."basket no" AS key,
      r."sku" AS name,
      r."level" AS level
    FROM release AS r
  ) AS c
  WHERE
    NOT c.name IS NULL
) AS d;

-- transactions
-- check_transaction: each row is a transaction of the release, numbered by key
SELECT
  ROW_NUMBER() OVER (ORDER BY d.key) AS tid,
  d.key AS key
FROM (
  SELECT DISTINCT
    c.key AS key
  FROM (
    SELECT
      r."basket no" AS key,
      r."sku" AS name,
      r."level" AS level
    FROM release AS r
  ) AS c
  WHERE
    NOT c.key IS NULL
) AS d;

-- held
-- check_held: each row is a transaction and a node it holds, without duplicates
SELECT DISTINCT
  t.tid AS tid,
  n.node AS node
FROM (
  SELECT
    r."basket no" AS key,
    r."sku" AS name,
    r."level" AS level
  FROM release AS r
) AS c
JOIN check_transaction AS t
  ON t.key = c.key
JOIN check_node AS n
  ON n.level = CAST(c.level AS INT) AND n.name = CAST(c.name AS TEXT);

-- sizes
-- check_sizes: counts cells without a transaction id and nodes without a level; finds the longest transaction
SELECT
  COUNT(*) - COUNT(c.key) AS unkeyed,
  COUNT(CASE WHEN NOT c.name IS NULL AND c.level IS NULL THEN 1 END) AS unlevelled,
  COALESCE(
    MAX(
      (
        SELECT
          COALESCE(MAX(t.n), 0) AS n
        FROM (
          SELECT
            h.tid AS tid,
            COUNT(*) AS n
          FROM check_held AS h
          GROUP BY
            h.tid
        ) AS t
      )
    ),
    0
  ) AS longest
FROM (
  SELECT
    r."basket no" AS key,
    r."sku" AS name,
    r."level" AS level
  FROM release AS r
) AS c;

-- sets-2
-- check_set_2: each row is a set of published nodes, of size 2, with its support
SELECT
  h1.node AS n1,
  h2.node AS n2,
  COUNT(*) AS support
FROM check_held AS h1
JOIN check_held AS h2
  ON h2.tid = h1.tid AND h2.node > h1.node
GROUP BY
  h1.node,
  h2.node;

-- counted-2
-- check_counted_2: counts the sets of size 2, and those that fewer than k transactions hold
SELECT
  COUNT(*) AS checked,
  COUNT(CASE WHEN s.support < 20 THEN 1 END) AS found
FROM check_set_2 AS s;

-- violations-2
-- check_violations_2: lists the rarest sets of 2 nodes that fewer than k transactions hold
SELECT
  s.support AS support,
  c1.level AS level1,
  c1.name AS name1,
  c2.level AS level2,
  c2.name AS name2
FROM check_set_2 AS s
JOIN check_node AS c1
  ON c1.node = s.n1
JOIN check_node AS c2
  ON c2.node = s.n2
WHERE
  s.support < 20
ORDER BY
  s.support,
  s.n1,
  s.n2
LIMIT 10;

-- sets-3
-- check_set_3: each row is a set of published nodes, of size 3, with its support
SELECT
  h1.node AS n1,
  h2.node AS n2,
  h3.node AS n3,
  COUNT(*) AS support
FROM check_held AS h1
JOIN check_held AS h2
  ON h2.tid = h1.tid AND h2.node > h1.node
JOIN check_held AS h3
  ON h3.tid = h1.tid AND h3.node > h2.node
GROUP BY
  h1.node,
  h2.node,
  h3.node;

-- counted-3
-- check_counted_3: counts the sets of size 3, and those that fewer than k transactions hold
SELECT
  COUNT(*) AS checked,
  COUNT(CASE WHEN s.support < 20 THEN 1 END) AS found
FROM check_set_3 AS s;

-- violations-3
-- check_violations_3: lists the rarest sets of 3 nodes that fewer than k transactions hold
SELECT
  s.support AS support,
  c1.level AS level1,
  c1.name AS name1,
  c2.level AS level2,
  c2.name AS name2,
  c3.level AS level3,
  c3.name AS name3
FROM check_set_3 AS s
JOIN check_node AS c1
  ON c1.node = s.n1
JOIN check_node AS c2
  ON c2.node = s.n2
JOIN check_node AS c3
  ON c3.node = s.n3
WHERE
  s.support < 20
ORDER BY
  s.support,
  s.n1,
  s.n2,
  s.n3
LIMIT 10;

-- kinds
-- check_kind: each row is a kind of transactions with equal nodes, and their number
SELECT
  MIN(t.tid) AS tid,
  t.n AS n,
  COUNT(*) AS copies
FROM (
  SELECT
    h.tid AS tid,
    COUNT(*) AS n,
    LISTAGG(CAST(h.node AS TEXT), ' '
    ORDER BY
      h.node) AS nodes
  FROM check_held AS h
  GROUP BY
    h.tid
) AS t
GROUP BY
  t.nodes,
  t.n;

-- lengths
-- check_lengths: counts transactions by length: the run refuses a next relation that is too large
SELECT
  counted.held AS held,
  COUNT(*) AS transactions
FROM (
  SELECT
    r.tid AS owner,
    COUNT(*) AS held
  FROM check_held AS r
  GROUP BY
    r.tid
) AS counted
GROUP BY
  counted.held
ORDER BY
  held;

-- meetings
-- check_meetings: bounds the rows of the next comparison: the run refuses one that is too large
SELECT
  CAST(COALESCE(MAX(q.rare), 0) * COALESCE(MAX(q.kinds), 0) AS BIGINT) AS pairs,
  CAST(COALESCE(SUM(n.own * n.held), 0) AS BIGINT) AS shared
FROM (
  SELECT
    h.node AS node,
    COUNT(*) AS held,
    COUNT(CASE WHEN r.copies < 20 THEN 1 END) AS own
  FROM check_held AS h
  JOIN check_kind AS r
    ON r.tid = h.tid
  GROUP BY
    h.node
) AS n
CROSS JOIN (
  SELECT
    COUNT(*) AS kinds,
    COUNT(CASE WHEN r.copies < 20 THEN 1 END) AS rare
  FROM check_kind AS r
) AS q;

-- meetings-persons
-- check_meetings: bounds the rows of the next comparison: the run refuses one that is too large
SELECT
  CAST(COALESCE(MAX(q.rare), 0) * COALESCE(MAX(q.kinds), 0) AS BIGINT) AS pairs,
  CAST(COALESCE(SUM(n.own * n.held), 0) AS BIGINT) AS shared
FROM (
  SELECT
    h.node AS node,
    COUNT(*) AS held,
    COUNT(CASE WHEN r.persons < 20 THEN 1 END) AS own
  FROM check_held AS h
  JOIN check_kind AS r
    ON r.tid = h.tid
  GROUP BY
    h.node
) AS n
CROSS JOIN (
  SELECT
    COUNT(*) AS kinds,
    COUNT(CASE WHEN r.persons < 20 THEN 1 END) AS rare
  FROM check_kind AS r
) AS q;

-- fitting
-- check_set_0: each row is a kind of fewer than k copies, with the transactions that hold all its nodes
SELECT
  s.tid AS tid,
  s.n AS n,
  CAST(SUM(s.copies) AS BIGINT) AS support
FROM (
  SELECT
    r.tid AS tid,
    r.n AS n,
    q.tid AS other,
    q.copies AS copies
  FROM check_kind AS r
  JOIN check_held AS own
    ON own.tid = r.tid
  JOIN check_held AS held
    ON held.node = own.node
  JOIN check_kind AS q
    ON q.tid = held.tid
  WHERE
    r.copies < 20
  GROUP BY
    r.tid,
    r.n,
    q.tid,
    q.copies
  HAVING
    COUNT(*) = r.n
) AS s
GROUP BY
  s.tid,
  s.n;

-- whole
-- check_whole: lists the nodes of transactions whose nodes fewer than k transactions hold
SELECT
  v.place AS place,
  v.support AS support,
  c.level AS level,
  c.name AS name
FROM (
  SELECT
    s.tid AS tid,
    s.support AS support,
    ROW_NUMBER() OVER (ORDER BY s.n, s.support, s.tid) AS place
  FROM check_set_0 AS s
  WHERE
    s.support < 20
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
