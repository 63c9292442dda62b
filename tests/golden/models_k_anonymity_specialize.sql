-- falls
-- fall: each row is a public item, a node above it, and the child on the way to it
SELECT
  f.item AS item,
  f.node AS node,
  f.child AS child
FROM (
  SELECT
    p.item AS item,
    p.node AS node,
    LAG(p.node) OVER (PARTITION BY p.item ORDER BY p.level) AS child
  FROM path AS p
  JOIN public_item AS r
    ON r.item = p.item
) AS f
WHERE
  NOT f.child IS NULL;

-- shapes
-- shape: each row is a transaction and a node above its items; shape is equal if the children are
SELECT
  h.tid AS tid,
  h.node AS node,
  MIN(h.tid) OVER (PARTITION BY h.node, h.children) AS shape
FROM (
  SELECT
    d.tid AS tid,
    d.node AS node,
    LISTAGG(CAST(d.child AS TEXT), ' '
    ORDER BY
      d.child) AS children
  FROM (
    SELECT DISTINCT
      o.tid AS tid,
      f.node AS node,
      f.child AS child
    FROM occurrence AS o
    JOIN fall AS f
      ON f.item = o.item
  ) AS d
  GROUP BY
    d.tid,
    d.node
) AS h;

-- held
-- shape: each row is a transaction and a public item that it holds
SELECT
  o.tid AS tid,
  o.item AS node,
  0 AS shape
FROM occurrence AS o
JOIN public_item AS r
  ON r.item = o.item;

-- gains
-- gain: each row is a node with the loss that its children save, in leaves
WITH covered AS (
  SELECT
    n.node AS node,
    n.leaves - COALESCE(x.leaves, 0) AS leaves
  FROM node AS n
  LEFT JOIN (
    SELECT
      p.node AS node,
      COUNT(*) AS leaves
    FROM path AS p
    JOIN leaving_item AS l
      ON l.item = p.item
    GROUP BY
      p.node
  ) AS x
    ON x.node = n.node
)
SELECT
  f.node AS node,
  CAST(SUM(
    i.support * (
      CASE WHEN u.leaves > 1 THEN u.leaves ELSE 0 END - CASE WHEN v.leaves > 1 THEN v.leaves ELSE 0 END
    )
  ) AS BIGINT) AS gain
FROM fall AS f
JOIN item AS i
  ON i.item = f.item
JOIN covered AS u
  ON u.node = f.node
JOIN covered AS v
  ON v.node = f.child
GROUP BY
  f.node
ORDER BY
  node;

-- supports
-- gain: each row is a public item with the occurrences that it saves
SELECT
  i.item AS node,
  i.support AS gain
FROM item AS i
JOIN public_item AS r
  ON r.item = i.item
ORDER BY
  node;

-- whole
-- class_1: each row is a transaction: all are twins at first
SELECT
  b.tid AS tid,
  0 AS class,
  CASE WHEN x.tid IS NULL THEN 0 ELSE 1 END AS shown
FROM basket AS b
LEFT JOIN (
  SELECT DISTINCT
    o.tid AS tid
  FROM occurrence AS o
  JOIN leaving_item AS l
    ON l.item = o.item
) AS x
  ON x.tid = b.tid;

-- whole-lists-persons
-- class_1: each row is a transaction: all are twins at first
SELECT
  b.tid AS tid,
  0 AS class,
  1 AS shown,
  b.person AS person
FROM basket AS b
LEFT JOIN (
  SELECT DISTINCT
    o.tid AS tid
  FROM occurrence AS o
  JOIN leaving_item AS l
    ON l.item = o.item
) AS x
  ON x.tid = b.tid;

-- rooted
-- class_1: each row is a transaction: all with public items are twins at the root
SELECT
  b.tid AS tid,
  CASE WHEN x.tid IS NULL THEN 0 ELSE 1 END AS class,
  1 AS shown
FROM basket AS b
LEFT JOIN (
  SELECT DISTINCT
    s.tid AS tid
  FROM shape AS s
) AS x
  ON x.tid = b.tid;

-- smallest
-- smallest_1: finds the smallest class: it must keep k
SELECT
  COALESCE(MIN(z.size), 0) AS smallest
FROM (
  SELECT
    c.class AS class,
    CAST(SUM(c.shown) AS BIGINT) AS size
  FROM class_1 AS c
  GROUP BY
    c.class
) AS z
WHERE
  z.size > 0;

-- fits
-- fit_2: each row is a node that keeps k if its children are published, and the smallest class
SELECT
  d.node AS node,
  MIN(CASE WHEN d.rest > 0 AND d.rest < d.least THEN d.rest ELSE d.least END) AS least
FROM (
  SELECT
    p.node AS node,
    p.class AS class,
    MIN(p.held) AS least,
    MAX(z.size) - CAST(SUM(p.shown) AS BIGINT) AS rest
  FROM (
    SELECT
      s.node AS node,
      c.class AS class,
      s.shape AS shape,
      COUNT(*) AS held,
      SUM(c.shown) AS shown
    FROM open_2 AS a
    JOIN shape AS s
      ON s.node = a.node
    JOIN class_2 AS c
      ON c.tid = s.tid
    GROUP BY
      s.node,
      c.class,
      s.shape
  ) AS p
  JOIN (
    SELECT
      c.class AS class,
      CAST(SUM(c.shown) AS BIGINT) AS size
    FROM class_2 AS c
    GROUP BY
      c.class
  ) AS z
    ON z.class = p.class
  GROUP BY
    p.node,
    p.class
) AS d
GROUP BY
  d.node
HAVING
  MIN(CASE WHEN d.rest > 0 AND d.rest < d.least THEN d.rest ELSE d.least END) >= 20;

-- divided
-- class_3: each row is a transaction and its class of twins, with the node specialized
SELECT
  c.tid AS tid,
  MIN(c.tid) OVER (PARTITION BY c.class, COALESCE(s.shape, -1)) AS class,
  CASE WHEN s.tid IS NULL THEN c.shown ELSE 1 END AS shown
FROM class_2 AS c
LEFT JOIN (
  SELECT
    h.tid AS tid,
    h.shape AS shape
  FROM shape AS h
  JOIN picked_2 AS p
    ON p.item = h.node
) AS s
  ON s.tid = c.tid;

-- rooted-persons
-- class_1: each row is a transaction: all with public items are twins at the root
SELECT
  b.tid AS tid,
  CASE WHEN x.tid IS NULL THEN 0 ELSE 1 END AS class,
  1 AS shown,
  b.person AS person
FROM basket AS b
LEFT JOIN (
  SELECT DISTINCT
    s.tid AS tid
  FROM shape AS s
) AS x
  ON x.tid = b.tid;

-- smallest-persons
-- smallest_1: finds the smallest class: it must keep k
SELECT
  COALESCE(MIN(z.size), 0) AS smallest
FROM (
  SELECT
    c.class AS class,
    CAST(COUNT(DISTINCT CASE WHEN c.shown = 1 THEN c.person END) AS BIGINT) AS size
  FROM class_1 AS c
  GROUP BY
    c.class
) AS z
WHERE
  z.size > 0;

-- fits-persons
-- fit_2: each row is a node that keeps k if its children are published, and the smallest class
SELECT
  d.node AS node,
  MIN(CASE WHEN d.rest > 0 AND d.rest < d.least THEN d.rest ELSE d.least END) AS least
FROM (
  SELECT
    p.node AS node,
    p.class AS class,
    MIN(p.held) AS least,
    MAX(z.size) - COALESCE(MAX(g.persons), 0) AS rest
  FROM (
    SELECT
      s.node AS node,
      c.class AS class,
      s.shape AS shape,
      COUNT(DISTINCT c.person) AS held,
      SUM(c.shown) AS shown
    FROM open_2 AS a
    JOIN shape AS s
      ON s.node = a.node
    JOIN class_2 AS c
      ON c.tid = s.tid
    GROUP BY
      s.node,
      c.class,
      s.shape
  ) AS p
  JOIN (
    SELECT
      c.class AS class,
      CAST(COUNT(DISTINCT CASE WHEN c.shown = 1 THEN c.person END) AS BIGINT) AS size
    FROM class_2 AS c
    GROUP BY
      c.class
  ) AS z
    ON z.class = p.class
  LEFT JOIN (
    SELECT
      t.node AS node,
      t.class AS class,
      COUNT(*) AS persons
    FROM (
      SELECT
        s.node AS node,
        c.class AS class,
        c.person AS person,
        SUM(c.shown) AS held
      FROM open_2 AS a
      JOIN shape AS s
        ON s.node = a.node
      JOIN class_2 AS c
        ON c.tid = s.tid
      GROUP BY
        s.node,
        c.class,
        c.person
    ) AS t
    JOIN (
      SELECT
        c.class AS class,
        c.person AS person,
        SUM(c.shown) AS held
      FROM class_2 AS c
      GROUP BY
        c.class,
        c.person
    ) AS w
      ON w.class = t.class AND w.person = t.person AND w.held = t.held
    WHERE
      w.held > 0
    GROUP BY
      t.node,
      t.class
  ) AS g
    ON g.node = p.node AND g.class = p.class
  GROUP BY
    p.node,
    p.class
) AS d
GROUP BY
  d.node
HAVING
  MIN(CASE WHEN d.rest > 0 AND d.rest < d.least THEN d.rest ELSE d.least END) >= 20;

-- divided-persons
-- class_3: each row is a transaction and its class of twins, with the node specialized
SELECT
  c.tid AS tid,
  MIN(c.tid) OVER (PARTITION BY c.class, COALESCE(s.shape, -1)) AS class,
  CASE WHEN s.tid IS NULL THEN c.shown ELSE 1 END AS shown,
  c.person AS person
FROM class_2 AS c
LEFT JOIN (
  SELECT
    h.tid AS tid,
    h.shape AS shape
  FROM shape AS h
  JOIN picked_2 AS p
    ON p.item = h.node
) AS s
  ON s.tid = c.tid;

-- opened
-- open_1: each row is a node that may be specialized
SELECT
  r.item AS node
FROM public_item AS r;

-- reopened
-- open_3: each row is a node that may be specialized
SELECT
  n.node AS node
FROM (
  SELECT
    f.node AS node
  FROM fit_2 AS f
  WHERE
    NOT EXISTS(
      SELECT
        1 AS one
      FROM picked_2 AS p
      WHERE
        p.item = f.node
    )
) AS n;

-- opened-tree
-- open_1: each row is a node that may be specialized
SELECT
  MAX(f.node) AS node
FROM fall AS f
HAVING
  COUNT(*) > 0;

-- reopened-tree
-- open_3: each row is a node that may be specialized
SELECT
  n.node AS node
FROM (
  SELECT
    f.node AS node
  FROM fit_2 AS f
  WHERE
    NOT EXISTS(
      SELECT
        1 AS one
      FROM picked_2 AS p
      WHERE
        p.item = f.node
    )
  UNION ALL
  SELECT DISTINCT
    f.child AS node
  FROM fall AS f
  JOIN picked_2 AS p
    ON p.item = f.node
  JOIN fall AS g
    ON g.node = f.child
) AS n;

-- choices
-- choices_2: lists the nodes that fit, of which one is chosen
SELECT
  f.node AS node,
  f.least AS least
FROM fit_2 AS f
ORDER BY
  node;

-- suppressed
-- suppressed_item: each row is a public item that is not published
SELECT
  r.item AS item
FROM public_item AS r
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM specialized AS s
    WHERE
      s.item = r.item
  )
ORDER BY
  item;

-- recoded
-- recoded_item: each row is an item and its published node: the highest that is not specialized
SELECT
  p.item AS item,
  MAX(p.node) AS node
FROM path AS p
LEFT JOIN public_item AS r
  ON r.item = p.item
LEFT JOIN specialized AS s
  ON s.item = p.node
WHERE
  p.level = 0 OR (
    NOT r.item IS NULL AND s.item IS NULL
  )
GROUP BY
  p.item;
