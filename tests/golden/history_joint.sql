-- members
-- history_member: each row is a group of transactions in exactly the same releases, and one of them
SELECT
  g.group_no AS part,
  g.group_no AS group_no,
  p.tid AS tid
FROM history_group AS g
JOIN history_presence AS p
  ON p.kind = g.kind
JOIN history_left AS l
  ON l.part = g.group_no;

-- vectors
-- history_vector: each row is a transaction of a group, and the slice of it in each release with slices
SELECT
  v.group_no AS group_no,
  v.tid AS tid,
  v.slices AS slices,
  DENSE_RANK() OVER (ORDER BY v.group_no, v.slices) - 1 AS part
FROM (
  SELECT
    g.group_no AS group_no,
    p.tid AS tid,
    LISTAGG(s.slice, ', '
    ORDER BY
      s.release) AS slices
  FROM history_group AS g
  JOIN history_presence AS p
    ON p.kind = g.kind
  JOIN history_of AS o
    ON o.group_no = g.group_no
  JOIN history_slice AS s
    ON s.release = o.release AND s.tid = p.tid
  GROUP BY
    g.group_no,
    p.tid
) AS v;

-- vectors_counted
-- history_vectors: counts the parts of transactions that share slices
SELECT
  COUNT(DISTINCT v.part) AS parts
FROM history_vector AS v;

-- members_by_slice
-- history_member: each row is a part of a group, whose transactions share their slices, and one of them
SELECT
  v.part AS part,
  v.group_no AS group_no,
  v.tid AS tid
FROM history_vector AS v
JOIN history_left AS l
  ON l.part = v.part;

-- union_cells
-- history_cell: each row is a transaction and an item that the releases together show of it; both have the number of their part, so no set of items spans two parts
SELECT DISTINCT
  m.part * 2654435761 + m.tid AS key,
  m.part * 2654435761 + s.node AS name
FROM history_member AS m
JOIN history_of AS o
  ON o.group_no = m.group_no
JOIN history_shown AS s
  ON s.tid = m.tid AND s.release = o.release;

-- union_cells-twins
-- history_cell: each row is a transaction and an item that the releases together show of it; both have the number of their part, so no set of items spans two parts
SELECT DISTINCT
  m.part * 2654435761 + m.tid AS key,
  m.part * 2654435761 + s.node * 64 + s.release AS name
FROM history_member AS m
JOIN history_of AS o
  ON o.group_no = m.group_no
JOIN history_shown AS s
  ON s.tid = m.tid AND s.release = o.release
UNION ALL
SELECT
  m.part * 2654435761 + m.tid AS key,
  m.part * 2654435761 AS name
FROM history_member AS m;

-- joint_cells
-- history_cell: each row is a transaction and an item that the releases together show of it; both have the number of their part, so no set of items spans two parts
SELECT DISTINCT
  j.part * 2654435761 + j.tid AS key,
  j.part * 2654435761 + t.node AS name
FROM history_joint AS j
JOIN history_tuple AS t
  ON t.deepest = j.deepest AND t.shown = j.shown
UNION ALL
SELECT
  m.part * 2654435761 + m.tid AS key,
  m.part * 2654435761 AS name
FROM history_member AS m;

-- roles
SELECT
  CAST(c.name AS TEXT) AS label,
  r.private AS private
FROM (
  SELECT DISTINCT
    h.name AS name
  FROM history_cell AS h
) AS c
JOIN history_node AS n
  ON n.node = LOW(c.name, 2654435761)
JOIN role AS r
  ON r.label = n.label
WHERE
  n.level = 0
UNION ALL
SELECT
  CAST(c.name AS TEXT) AS label,
  0 AS private
FROM (
  SELECT DISTINCT
    h.name AS name
  FROM history_cell AS h
) AS c
LEFT JOIN history_node AS n
  ON n.node = LOW(c.name, 2654435761)
WHERE
  n.node IS NULL OR n.level > 0;

-- roles-twins
SELECT
  CAST(c.name AS TEXT) AS label,
  r.private AS private
FROM (
  SELECT DISTINCT
    h.name AS name
  FROM history_cell AS h
) AS c
JOIN history_node AS n
  ON n.node = LOW(c.name, 2654435761) // 64
JOIN role AS r
  ON r.label = n.label
WHERE
  n.level = 0
UNION ALL
SELECT
  CAST(c.name AS TEXT) AS label,
  0 AS private
FROM (
  SELECT DISTINCT
    h.name AS name
  FROM history_cell AS h
) AS c
LEFT JOIN history_node AS n
  ON n.node = LOW(c.name, 2654435761) // 64
WHERE
  n.node IS NULL OR n.level > 0;

-- label_rows
SELECT
  CAST(c.name AS TEXT) AS label
FROM (
  SELECT DISTINCT
    h.name AS name
  FROM history_cell AS h
) AS c
JOIN history_node AS n
  ON n.node = LOW(c.name, 2654435761)
JOIN listed AS r
  ON r.label = n.label
WHERE
  n.level = 0;

-- owner_rows
SELECT
  m.part * 2654435761 + m.tid AS key,
  o.person AS person
FROM history_member AS m
JOIN history_owner AS o
  ON o.tid = m.tid;

-- parts
-- history_parts: counts the transactions of each part
SELECT
  m.part AS part,
  MIN(m.group_no) AS group_no,
  COUNT(DISTINCT m.tid) AS transactions
FROM history_member AS m
GROUP BY
  m.part
ORDER BY
  part;

-- parts-persons
-- history_parts: counts the transactions of each part
SELECT
  m.part AS part,
  MIN(m.group_no) AS group_no,
  COUNT(DISTINCT m.tid) AS transactions,
  COUNT(DISTINCT o.person) AS persons,
  MIN(v.slices) AS slices
FROM history_member AS m
JOIN history_owner AS o
  ON o.tid = m.tid
JOIN history_vector AS v
  ON v.part = m.part AND v.tid = m.tid
GROUP BY
  m.part
ORDER BY
  part;

-- exposed
-- history_exposed: counts the transactions that hold a set of items that too few others hold
SELECT
  h.part AS part,
  COUNT(DISTINCT h.tid) AS transactions
FROM (
  SELECT
    s.number AS number,
    s.part AS part,
    c.key % 2654435761 AS tid
  FROM history_set AS s
  JOIN history_cell AS c
    ON c.name = CAST(s.part AS BIGINT) * 2654435761 + s.node
  GROUP BY
    s.number,
    s.part,
    s.size,
    c.key
  HAVING
    COUNT(*) = s.size
) AS h
GROUP BY
  h.part
ORDER BY
  part;

-- exposed-persons
-- history_exposed: counts the transactions that hold a set of items that too few others hold
SELECT
  h.part AS part,
  COUNT(DISTINCT h.tid) AS transactions,
  COUNT(DISTINCT o.person) AS persons
FROM (
  SELECT
    s.number AS number,
    s.part AS part,
    c.key % 2654435761 AS tid
  FROM history_set AS s
  JOIN history_cell AS c
    ON c.name = CAST(s.part AS BIGINT) * 2654435761 + s.node
  GROUP BY
    s.number,
    s.part,
    s.size,
    c.key
  HAVING
    COUNT(*) = s.size
) AS h
JOIN history_owner AS o
  ON o.tid = h.tid
GROUP BY
  h.part
ORDER BY
  part;

-- exposed_twins
-- history_exposed: counts the transactions with too few twins
WITH twin AS (
  SELECT
    c.key AS key,
    LISTAGG(CAST(c.name AS TEXT), ' '
    ORDER BY
      c.name) AS nodes
  FROM history_cell AS c
  GROUP BY
    c.key
), few AS (
  SELECT
    t.nodes AS nodes
  FROM twin AS t
  GROUP BY
    t.nodes
  HAVING
    COUNT(*) < 5
)
SELECT
  t.key // 2654435761 AS part,
  COUNT(*) AS transactions
FROM twin AS t
JOIN few AS f
  ON f.nodes = t.nodes
GROUP BY
  t.key // 2654435761
ORDER BY
  part;

-- exposed_twins-persons
-- history_exposed: counts the transactions with too few twins
WITH twin AS (
  SELECT
    c.key AS key,
    LISTAGG(CAST(c.name AS TEXT), ' '
    ORDER BY
      c.name) AS nodes
  FROM history_cell AS c
  GROUP BY
    c.key
), few AS (
  SELECT
    t.nodes AS nodes
  FROM twin AS t
  JOIN history_owner AS o
    ON o.tid = t.key % 2654435761
  GROUP BY
    t.nodes
  HAVING
    COUNT(DISTINCT o.person) < 5
)
SELECT
  t.key // 2654435761 AS part,
  COUNT(*) AS transactions,
  COUNT(DISTINCT o.person) AS persons
FROM twin AS t
JOIN few AS f
  ON f.nodes = t.nodes
JOIN history_owner AS o
  ON o.tid = t.key % 2654435761
GROUP BY
  t.key // 2654435761
ORDER BY
  part;

-- met
-- history_names: lists the names of the nodes of violations
SELECT
  n.node AS node,
  n.level AS level,
  n.label AS label
FROM history_met AS m
JOIN history_node AS n
  ON n.node = m.node
ORDER BY
  node;
