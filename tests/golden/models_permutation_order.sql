-- harmless
-- plain: each row is an occurrence of an item that is not sensitive
SELECT
  o.tid AS tid,
  o.item AS item
FROM occurrence AS o
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM sensitive_item AS s
    WHERE
      s.item = o.item
  );

-- ranked
-- ranked: each row is a transaction and its place in the order of ids
SELECT
  b.tid AS tid,
  CAST(ROW_NUMBER() OVER (ORDER BY b.key) - 1 AS INT) AS place
FROM basket AS b;

-- vertices
-- vertex: each row is a transaction with other items; those of few items have small numbers
SELECT
  n.tid AS tid,
  CAST(ROW_NUMBER() OVER (ORDER BY n.held, r.place) - 1 AS INT) AS vertex
FROM (
  SELECT
    p.tid AS tid,
    COUNT(*) AS held
  FROM plain AS p
  GROUP BY
    p.tid
) AS n
JOIN ranked AS r
  ON r.tid = n.tid;

-- degrees
-- degree: each row is an item; those that few transactions hold come first
SELECT
  n.item AS item,
  CAST(ROW_NUMBER() OVER (ORDER BY n.held, n.item) - 1 AS INT) AS place
FROM (
  SELECT
    p.item AS item,
    COUNT(*) AS held
  FROM plain AS p
  GROUP BY
    p.item
) AS n;

-- components-0
-- component_0: each row is a transaction and the smallest of those that shared items lead to
SELECT
  v.tid AS tid,
  v.vertex AS start
FROM vertex AS v;

-- components-2
-- component_2: each row is a transaction and the smallest of those that shared items lead to
SELECT
  p.tid AS tid,
  MIN(i.start) AS start
FROM plain AS p
JOIN (
  SELECT
    q.item AS item,
    MIN(c.start) AS start
  FROM plain AS q
  JOIN component_1 AS c
    ON c.tid = q.tid
  GROUP BY
    q.item
) AS i
  ON i.item = p.item
GROUP BY
  p.tid;

-- components-3
-- component_3: each row is a transaction and the smallest of those that shared items lead to
SELECT
  p.tid AS tid,
  MIN(i.start) AS start
FROM plain AS p
JOIN (
  SELECT
    q.item AS item,
    MIN(c.start) AS start
  FROM plain AS q
  JOIN component_2 AS c
    ON c.tid = q.tid
  GROUP BY
    q.item
) AS i
  ON i.item = p.item
GROUP BY
  p.tid;

-- starts
-- starts: sums the starts: the parts are found when the sum stays equal
SELECT
  COALESCE(SUM(CAST(c.start AS BIGINT)), 0) AS starts
FROM component_2 AS c;

-- first_level
-- level_0: each row is the first transaction of a connected part
SELECT
  v.tid AS tid,
  CAST(ROW_NUMBER() OVER (ORDER BY v.vertex) - 1 AS INT) AS place
FROM vertex AS v
JOIN component_3 AS c
  ON c.tid = v.tid AND c.start = v.vertex;

-- touched-1
-- touched_1: each row is an item that the search reaches here
SELECT
  n.item AS item,
  CAST(ROW_NUMBER() OVER (ORDER BY n.place, d.place) - 1 AS INT) AS place
FROM (
  SELECT
    p.item AS item,
    MIN(l.place) AS place
  FROM level_0 AS l
  JOIN plain AS p
    ON p.tid = l.tid
  GROUP BY
    p.item
) AS n
JOIN degree AS d
  ON d.item = n.item;

-- level-1
-- level_1: each row is a transaction that the search reaches here
SELECT
  n.tid AS tid,
  CAST(ROW_NUMBER() OVER (ORDER BY n.place, v.vertex) - 1 AS INT) AS place
FROM (
  SELECT
    p.tid AS tid,
    MIN(t.place) AS place
  FROM touched_1 AS t
  JOIN plain AS p
    ON p.item = t.item
  WHERE
    NOT EXISTS(
      SELECT
        1 AS one
      FROM level_0 AS k
      WHERE
        k.tid = p.tid
    )
  GROUP BY
    p.tid
) AS n
JOIN vertex AS v
  ON v.tid = n.tid;

-- touched-2
-- touched_2: each row is an item that the search reaches here
SELECT
  n.item AS item,
  CAST(ROW_NUMBER() OVER (ORDER BY n.place, d.place) - 1 AS INT) AS place
FROM (
  SELECT
    p.item AS item,
    MIN(l.place) AS place
  FROM level_1 AS l
  JOIN plain AS p
    ON p.tid = l.tid
  WHERE
    NOT EXISTS(
      SELECT
        1 AS one
      FROM touched_1 AS k
      WHERE
        k.item = p.item
    )
  GROUP BY
    p.item
) AS n
JOIN degree AS d
  ON d.item = n.item;

-- level-2
-- level_2: each row is a transaction that the search reaches here
SELECT
  n.tid AS tid,
  CAST(ROW_NUMBER() OVER (ORDER BY n.place, v.vertex) - 1 AS INT) AS place
FROM (
  SELECT
    p.tid AS tid,
    MIN(t.place) AS place
  FROM touched_2 AS t
  JOIN plain AS p
    ON p.item = t.item
  WHERE
    NOT EXISTS(
      SELECT
        1 AS one
      FROM level_1 AS k
      WHERE
        k.tid = p.tid
    )
  GROUP BY
    p.tid
) AS n
JOIN vertex AS v
  ON v.tid = n.tid;

-- touched-3
-- touched_3: each row is an item that the search reaches here
SELECT
  n.item AS item,
  CAST(ROW_NUMBER() OVER (ORDER BY n.place, d.place) - 1 AS INT) AS place
FROM (
  SELECT
    p.item AS item,
    MIN(l.place) AS place
  FROM level_2 AS l
  JOIN plain AS p
    ON p.tid = l.tid
  WHERE
    NOT EXISTS(
      SELECT
        1 AS one
      FROM touched_2 AS k
      WHERE
        k.item = p.item
    )
  GROUP BY
    p.item
) AS n
JOIN degree AS d
  ON d.item = n.item;

-- level-3
-- level_3: each row is a transaction that the search reaches here
SELECT
  n.tid AS tid,
  CAST(ROW_NUMBER() OVER (ORDER BY n.place, v.vertex) - 1 AS INT) AS place
FROM (
  SELECT
    p.tid AS tid,
    MIN(t.place) AS place
  FROM touched_3 AS t
  JOIN plain AS p
    ON p.item = t.item
  WHERE
    NOT EXISTS(
      SELECT
        1 AS one
      FROM level_2 AS k
      WHERE
        k.tid = p.tid
    )
  GROUP BY
    p.tid
) AS n
JOIN vertex AS v
  ON v.tid = n.tid;

-- queue
-- queue: each row is a transaction; those that share items stand side by side
SELECT
  v.tid AS tid,
  CAST(ROW_NUMBER() OVER (
    ORDER BY c.start DESC, COALESCE(l.level, 3) DESC, COALESCE(l.place, v.vertex) DESC
  ) - 1 AS INT) AS place
FROM vertex AS v
JOIN component_3 AS c
  ON c.tid = v.tid
LEFT JOIN (
  SELECT
    l.tid AS tid,
    0 AS level,
    l.place AS place
  FROM level_0 AS l
  UNION ALL
  SELECT
    l.tid AS tid,
    1 AS level,
    l.place AS place
  FROM level_1 AS l
  UNION ALL
  SELECT
    l.tid AS tid,
    2 AS level,
    l.place AS place
  FROM level_2 AS l
) AS l
  ON l.tid = v.tid;
