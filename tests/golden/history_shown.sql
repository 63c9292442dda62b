-- rows
-- history_row: each row is an item or node that a release shows of a transaction
SELECT
  0 AS release,
  CAST(c.key AS TEXT) AS key,
  CAST(c.name AS TEXT) AS name,
  0 AS level
FROM cell AS c
WHERE
  NOT c.key IS NULL
UNION ALL
SELECT
  1 AS release,
  CAST(c.key AS TEXT) AS key,
  CAST(c.name AS TEXT) AS name,
  CAST(c.level AS INT) AS level
FROM node_cell AS c
WHERE
  NOT c.key IS NULL;

-- unlevelled
-- history_levels: counts nodes without a level, which are refused
SELECT
  COUNT(*) AS unlevelled
FROM history_row AS r
WHERE
  NOT r.name IS NULL AND r.level IS NULL;

-- keys
-- history_key: each row is a transaction of any release, by its id
SELECT
  ROW_NUMBER() OVER (ORDER BY k.key) - 1 AS tid,
  k.key AS key
FROM (
  SELECT DISTINCT
    r.key AS key
  FROM history_row AS r
) AS k;

-- nodes
-- history_node: each row is an item or node of any release, in numbers
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY n.level, n.label) AS INT) AS node,
  n.level AS level,
  n.label AS label
FROM (
  SELECT DISTINCT
    r.level AS level,
    r.name AS label
  FROM history_row AS r
  WHERE
    NOT r.name IS NULL
) AS n;

-- present
-- history_present: each row is a release and a transaction in it
SELECT DISTINCT
  r.release AS release,
  k.tid AS tid
FROM history_row AS r
JOIN history_key AS k
  ON k.key = r.key;

-- shown
-- history_shown: each row is an item that a release shows of a transaction
SELECT DISTINCT
  r.release AS release,
  k.tid AS tid,
  n.node AS node
FROM history_row AS r
JOIN history_key AS k
  ON k.key = r.key
JOIN history_node AS n
  ON n.level = r.level AND n.label = r.name;

-- presences
-- history_presence: each row is a transaction and, as bits of a number, the releases that hold it
SELECT
  b.tid AS tid,
  b.presence AS presence,
  CAST(DENSE_RANK() OVER (ORDER BY b.presence) - 1 AS INT) AS kind
FROM (
  SELECT
    p.tid AS tid,
    CAST(SUM(CAST(1 AS BIGINT) << CAST(p.release AS INT)) AS BIGINT) AS presence
  FROM history_present AS p
  GROUP BY
    p.tid
) AS b;

-- found
-- history_found: counts the transactions that are in exactly the same releases, and their cells
SELECT
  p.kind AS kind,
  p.presence AS presence,
  COUNT(DISTINCT p.tid) AS transactions,
  COUNT(s.node) AS cells
FROM history_presence AS p
LEFT JOIN history_shown AS s
  ON s.tid = p.tid
GROUP BY
  p.kind,
  p.presence
ORDER BY
  kind;

-- slices
-- history_slice: each row is a transaction of a release and the slice in which it was appended
SELECT DISTINCT
  1 AS release,
  k.tid AS tid,
  COALESCE(CAST(s."slice" AS TEXT), '') AS slice
FROM source AS s
JOIN history_key AS k
  ON k.key = CAST(s."basket no" AS TEXT);

-- torn
-- history_torn: counts transactions in two slices of a release
SELECT
  COUNT(*) AS mixed
FROM (
  SELECT
    s.tid AS tid
  FROM history_slice AS s
  GROUP BY
    s.release,
    s.tid
  HAVING
    COUNT(*) > 1
) AS t;

-- owners-in_runs
-- history_owner: each row is a transaction and its person
SELECT
  k.tid AS tid,
  CAST(DENSE_RANK() OVER (ORDER BY o.value) - 1 AS INT) AS person
FROM (
  SELECT DISTINCT
    CAST(w.key AS TEXT) AS key,
    w.value AS value
  FROM (
    SELECT
      o.key AS key,
      CASE
        WHEN p.person IS NULL
        THEN 'guest ' || CAST(o.key AS TEXT)
        ELSE 'person ' || CAST(p.value AS TEXT)
      END AS value
    FROM owner AS o
    LEFT JOIN person AS p
      ON p.person = o.person
    UNION ALL
    SELECT
      o.key AS key,
      CASE
        WHEN p.person IS NULL
        THEN 'guest ' || CAST(o.key AS TEXT)
        ELSE 'person ' || CAST(p.value AS TEXT)
      END AS value
    FROM owner AS o
    LEFT JOIN person AS p
      ON p.person = o.person
  ) AS w
) AS o
JOIN history_key AS k
  ON k.key = o.key;

-- owners
-- history_owner: each row is a transaction and its person
SELECT
  k.tid AS tid,
  CAST(DENSE_RANK() OVER (ORDER BY o.value) - 1 AS INT) AS person
FROM (
  SELECT DISTINCT
    CAST(w.key AS TEXT) AS key,
    w.value AS value
  FROM (
    SELECT
      o.key AS key,
      CAST(o.person AS TEXT) AS value
    FROM owner AS o
  ) AS w
) AS o
JOIN history_key AS k
  ON k.key = o.key;

-- owned
-- history_owned: counts transactions without a person, and those of two persons
SELECT
  COUNT(CASE WHEN o.persons IS NULL THEN 1 END) AS missing,
  COUNT(CASE WHEN o.persons > 1 THEN 1 END) AS mixed,
  (
    SELECT
      COUNT(DISTINCT w.person) AS n
    FROM history_owner AS w
  ) AS persons
FROM history_key AS k
LEFT JOIN (
  SELECT
    w.tid AS tid,
    COUNT(*) AS persons
  FROM history_owner AS w
  GROUP BY
    w.tid
) AS o
  ON o.tid = k.tid;

-- items
-- item: each row is a name that any release shows, for lists of items
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY s.label) - 1 AS INT) AS item,
  n.name AS name,
  s.support AS support
FROM (
  SELECT DISTINCT
    c.name AS name
  FROM (
    SELECT
      c.name AS name
    FROM cell AS c
    UNION ALL
    SELECT
      c.name AS name
    FROM cell AS c
  ) AS c
  WHERE
    NOT c.name IS NULL
) AS n
JOIN (
  SELECT
    m.label AS label,
    COUNT(DISTINCT h.tid) AS support
  FROM history_node AS m
  JOIN history_shown AS h
    ON h.node = m.node
  GROUP BY
    m.label
) AS s
  ON s.label = CAST(n.name AS TEXT);

-- items-as_text
-- item: each row is a name that any release shows, for lists of items
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY s.label) - 1 AS INT) AS item,
  n.name AS name,
  s.support AS support
FROM (
  SELECT DISTINCT
    c.name AS name
  FROM (
    SELECT
      CAST(c.name AS TEXT) AS name
    FROM cell AS c
    UNION ALL
    SELECT
      CAST(c.name AS TEXT) AS name
    FROM cell AS c
  ) AS c
  WHERE
    NOT c.name IS NULL
) AS n
JOIN (
  SELECT
    m.label AS label,
    COUNT(DISTINCT h.tid) AS support
  FROM history_node AS m
  JOIN history_shown AS h
    ON h.node = m.node
  GROUP BY
    m.label
) AS s
  ON s.label = CAST(n.name AS TEXT);
