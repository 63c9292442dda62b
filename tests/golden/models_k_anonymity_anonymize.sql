-- branches
-- branch: each row is a node that can be expanded into its children, numbered by level and label
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY l.node) - 1 AS INT) AS branch,
  l.node AS node,
  n.leaves AS leaves
FROM (
  SELECT DISTINCT
    c.node AS node
  FROM (
    SELECT
      p.item AS item,
      MIN(p.node) AS node
    FROM path AS p
    JOIN node AS n
      ON n.node = p.node
    WHERE
      n.leaves > 1
    GROUP BY
      p.item,
      n.leaves
  ) AS c
) AS l
JOIN node AS n
  ON n.node = l.node;

-- descents
-- descent: each row is an item and a branch above it; gain is the leaves saved by its child
SELECT
  a.item AS item,
  a.branch AS branch,
  a.up AS up,
  COALESCE(a.below, -1 - a.item) AS child,
  a.leaves - COALESCE(a.leaves_below, 0) AS gain
FROM (
  SELECT
    p.item AS item,
    b.branch AS branch,
    b.leaves AS leaves,
    LAG(b.branch) OVER (PARTITION BY p.item ORDER BY b.leaves) AS below,
    LAG(b.leaves) OVER (PARTITION BY p.item ORDER BY b.leaves) AS leaves_below,
    LEAD(b.branch) OVER (PARTITION BY p.item ORDER BY b.leaves) AS up
  FROM path AS p
  JOIN branch AS b
    ON b.node = p.node
) AS a;

-- slots
-- slot: each row is a child of a branch, with the bit that stands for it
SELECT
  d.branch AS branch,
  d.child AS child,
  CAST(ROW_NUMBER() OVER (PARTITION BY d.branch ORDER BY d.child) - 1 AS INT) AS slot
FROM (
  SELECT DISTINCT
    branch,
    child
  FROM descent
) AS d;

-- widest
-- widest: finds the most children of a branch, which decides how their bits are kept
SELECT
  COALESCE(MAX(s.slot), 0) + 1 AS children,
  COUNT(DISTINCT s.branch) AS branches
FROM slot AS s;

-- held-5
-- held: each row is a transaction and a branch above its items, with its gain and its children
SELECT
  CAST(h.id // 837 AS INT) AS tid,
  CAST(h.id % 837 AS INT) AS branch,
  h.up AS up,
  h.gain AS gain,
  h.shape AS shape
FROM (
  SELECT
    CAST(o.tid AS BIGINT) * 837 + d.branch AS id,
    MAX(d.up) AS up,
    CAST(SUM(d.gain) AS BIGINT) AS gain,
    BIT_OR(CAST(1 AS BIGINT) << s.slot) AS shape
  FROM occurrence AS o
  JOIN descent AS d
    ON d.item = o.item
  JOIN slot AS s
    ON s.branch = d.branch AND s.child = d.child
  GROUP BY
    CAST(o.tid AS BIGINT) * 837 + d.branch
) AS h;

-- held-500
-- held: each row is a transaction and a branch above its items, with its gain and its children
SELECT
  CAST(h.id // 837 AS INT) AS tid,
  CAST(h.id % 837 AS INT) AS branch,
  h.up AS up,
  h.gain AS gain,
  h.shape AS shape
FROM (
  SELECT
    CAST(o.tid AS BIGINT) * 837 + d.branch AS id,
    MAX(d.up) AS up,
    CAST(SUM(d.gain) AS BIGINT) AS gain,
    BITSTRING_AGG(CAST(s.slot AS INT), 0, 499) AS shape
  FROM occurrence AS o
  JOIN descent AS d
    ON d.item = o.item
  JOIN slot AS s
    ON s.branch = d.branch AND s.child = d.child
  GROUP BY
    CAST(o.tid AS BIGINT) * 837 + d.branch
) AS h;

-- opened
-- open_1: each row is a transaction in the first partition, with all items generalized to the root
SELECT
  h.tid AS tid,
  0 AS part,
  h.branch AS branch,
  h.gain AS gain,
  h.shape AS shape
FROM held AS h
WHERE
  h.up IS NULL;

-- closed
-- closed: each row will be a branch that a transaction is published with
SELECT
  h.tid AS tid,
  h.branch AS branch,
  0 AS part,
  0 AS round
FROM held AS h
WHERE
  h.tid < 0;

-- picked
-- picked_2: each row is a partition and the branch whose expansion gains most
SELECT
  g.part AS part,
  g.branch AS branch,
  g.gain AS gain,
  CASE WHEN g.transactions < 40 THEN 1 ELSE 0 END AS whole
FROM (
  SELECT
    o.part AS part,
    o.branch AS branch,
    COUNT(*) AS transactions,
    CAST(SUM(o.gain) AS BIGINT) AS gain,
    ROW_NUMBER() OVER (PARTITION BY o.part ORDER BY CAST(SUM(o.gain) AS BIGINT) DESC, o.branch) AS place
  FROM open_2 AS o
  GROUP BY
    o.part,
    o.branch
) AS g
WHERE
  g.place = 1 OR g.transactions < 40;

-- split
-- split_2: each row is a transaction and the branch its partition expands; shape is the children shown
SELECT
  o.tid AS tid,
  o.part AS part,
  o.branch AS branch,
  o.gain AS gain,
  o.shape AS shape,
  p.whole AS whole
FROM open_2 AS o
JOIN picked_2 AS p
  ON p.part = o.part AND p.branch = o.branch;

-- buckets
-- bucket_2: each row is a bucket of equal children; buckets of fewer than k join the leftover
SELECT
  a.was AS was,
  a.branch AS branch,
  a.shape AS shape,
  20 - a.small AS wanted,
  CASE
    WHEN a.transactions < 20
    THEN NULL
    WHEN a.small = 0 OR a.small >= 20
    THEN 0
    WHEN a.small + a.surplus >= 20
    THEN a.transactions - 20
    WHEN a.place = 1
    THEN NULL
    ELSE 0
  END AS spare,
  CAST(CASE WHEN a.whole = 1 THEN 2 * a.first + 1 ELSE 2 * a.number END AS INT) AS part,
  CAST(2 * a.first + 1 AS INT) AS rest
FROM (
  SELECT
    b.part AS was,
    b.branch AS branch,
    b.shape AS shape,
    b.whole AS whole,
    b.transactions AS transactions,
    b.number AS number,
    MIN(b.number) OVER (PARTITION BY b.part) AS first,
    CAST(SUM(CASE WHEN b.transactions < 20 THEN b.transactions ELSE 0 END) OVER (PARTITION BY b.part, b.branch) AS BIGINT) AS small,
    CAST(SUM(CASE WHEN b.transactions < 20 THEN 0 ELSE b.transactions - 20 END) OVER (PARTITION BY b.part, b.branch) AS BIGINT) AS surplus,
    ROW_NUMBER() OVER (
      PARTITION BY b.part, b.branch
      ORDER BY CASE WHEN b.transactions < 20 THEN 1 ELSE 0 END, b.transactions, b.gain, b.shape
    ) AS place
  FROM (
    SELECT
      s.part AS part,
      s.branch AS branch,
      s.shape AS shape,
      MAX(s.whole) AS whole,
      COUNT(*) AS transactions,
      CAST(SUM(s.gain) AS BIGINT) AS gain,
      ROW_NUMBER() OVER (ORDER BY s.part, s.branch, s.shape) AS number
    FROM split_2 AS s
    GROUP BY
      s.part,
      s.branch,
      s.shape
  ) AS b
) AS a;

-- drawn
-- drawn_2: each row is a transaction that fills the leftover up to k: those of least gain
SELECT
  r.tid AS tid
FROM (
  SELECT
    w.tid AS tid,
    w.wanted AS wanted,
    ROW_NUMBER() OVER (PARTITION BY w.part ORDER BY w.gain, w.tid) AS place
  FROM (
    SELECT
      s.tid AS tid,
      s.part AS part,
      s.gain AS gain,
      b.spare AS spare,
      b.wanted AS wanted,
      ROW_NUMBER() OVER (PARTITION BY s.part, s.shape ORDER BY s.gain, s.tid) AS place
    FROM split_2 AS s
    JOIN bucket_2 AS b
      ON b.was = s.part AND b.branch = s.branch AND b.shape = s.shape
    WHERE
      b.spare > 0
  ) AS w
  WHERE
    w.place <= w.spare
) AS r
WHERE
  r.place <= r.wanted;

-- moved
-- moved_2: each row is a transaction with its new partition: its bucket or the leftover
SELECT
  s.tid AS tid,
  s.branch AS branch,
  s.whole AS whole,
  CASE WHEN b.spare IS NULL OR NOT d.tid IS NULL THEN b.rest ELSE b.part END AS part,
  CASE WHEN b.spare IS NULL OR NOT d.tid IS NULL THEN 0 ELSE 1 END AS expanded
FROM split_2 AS s
JOIN bucket_2 AS b
  ON b.was = s.part AND b.branch = s.branch AND b.shape = s.shape
LEFT JOIN drawn_2 AS d
  ON d.tid = s.tid;

-- left_over
-- closed: each row is a transaction of a leftover: the branch is published for it
SELECT
  m.tid AS tid,
  m.branch AS branch,
  m.part AS part,
  2 AS round
FROM moved_2 AS m
WHERE
  m.expanded = 0;

-- reopened
-- open_3: each row is a transaction and a branch that the next round may expand
SELECT
  o.tid AS tid,
  m.part AS part,
  o.branch AS branch,
  o.gain AS gain,
  o.shape AS shape
FROM open_2 AS o
JOIN moved_2 AS m
  ON m.tid = o.tid
WHERE
  m.whole = 0 AND o.branch <> m.branch
UNION ALL
SELECT
  h.tid AS tid,
  m.part AS part,
  h.branch AS branch,
  h.gain AS gain,
  h.shape AS shape
FROM held AS h
JOIN moved_2 AS m
  ON m.tid = h.tid AND m.branch = h.up
WHERE
  m.expanded = 1;

-- recoded
-- recoded: each row is an occurrence with its published node: its closed branch, or the item itself
SELECT
  o.tid AS tid,
  o.item AS item,
  COALESCE(g.node, o.item) AS node
FROM occurrence AS o
LEFT JOIN (
  SELECT
    c.tid AS tid,
    d.item AS item,
    b.node AS node
  FROM closed AS c
  JOIN occurrence AS u
    ON u.tid = c.tid
  JOIN descent AS d
    ON d.item = u.item AND d.branch = c.branch
  JOIN branch AS b
    ON b.branch = c.branch
) AS g
  ON g.tid = o.tid AND g.item = o.item;

-- empty_transactions
-- empty: counts transactions without items: they are a class of their own
SELECT
  COUNT(*) AS transactions
FROM basket AS b
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM occurrence AS o
    WHERE
      o.tid = b.tid
  );

-- leftovers
-- leftovers: counts the leftovers and their transactions
SELECT
  COUNT(*) AS leftovers,
  CAST(COALESCE(SUM(l.transactions), 0) AS BIGINT) AS moved,
  COALESCE(MAX(l.transactions), 0) AS largest
FROM (
  SELECT
    c.round AS round,
    c.part AS part,
    COUNT(DISTINCT c.tid) AS transactions
  FROM closed AS c
  GROUP BY
    c.round,
    c.part
) AS l;

-- as_given-long
-- release: each row is a row of the source: it keeps the promise already
SELECT DISTINCT
  s."basket no" AS "basket no",
  s."sku" AS "sku",
  s."level" AS "level",
  CAST(s."level" AS BIGINT) * (
    SELECT
      COUNT(*) AS n
    FROM label AS c
  ) + l.item AS "number"
FROM source AS s
JOIN label AS l
  ON l.name = s."sku"
WHERE
  NOT s."basket no" IS NULL AND NOT s."sku" IS NULL;

-- as_given-lists
-- release: each row is a row of the source: it keeps the promise already
SELECT
  s."basket no" AS "basket no",
  s."sku" AS "sku",
  s."level" AS "level",
  s."line" AS "line"
FROM source AS s
WHERE
  NOT s."basket no" IS NULL AND NOT s."sku" IS NULL;
