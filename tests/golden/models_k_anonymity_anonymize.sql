-- known
-- known: each row is a transaction and a public item, which its twins share
SELECT
  o.tid AS tid,
  o.item AS item
FROM occurrence AS o
JOIN public_item AS r
  ON r.item = o.item;

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
  ranked.part AS part,
  ranked.branch AS branch,
  ranked.gain AS gain,
  CASE WHEN ranked.transactions < 40 THEN 1 ELSE 0 END AS whole
FROM (
  SELECT
    opened.part AS part,
    opened.branch AS branch,
    COUNT(*) AS transactions,
    CAST(SUM(opened.gain) AS BIGINT) AS gain,
    ROW_NUMBER() OVER (
      PARTITION BY opened.part
      ORDER BY CAST(SUM(opened.gain) AS BIGINT) DESC, opened.branch
    ) AS place
  FROM open_2 AS opened
  GROUP BY
    opened.part,
    opened.branch
) AS ranked
WHERE
  ranked.place = 1 OR ranked.transactions < 40;

-- split
-- split_2: each row is a transaction and the branch its partition expands; shape is the children shown
SELECT
  opened.tid AS tid,
  opened.part AS part,
  opened.branch AS branch,
  opened.gain AS gain,
  opened.shape AS shape,
  picked.whole AS whole
FROM open_2 AS opened
JOIN picked_2 AS picked
  ON picked.part = opened.part AND picked.branch = opened.branch;

-- buckets
-- bucket_2: each row is a bucket of equal children; buckets of fewer than k join the leftover
SELECT
  sized.was AS was,
  sized.branch AS branch,
  sized.shape AS shape,
  20 - sized.small AS wanted,
  CASE
    WHEN sized.transactions < 20
    THEN NULL
    WHEN sized.small = 0 OR sized.small >= 20
    THEN 0
    WHEN sized.small + sized.surplus >= 20
    THEN sized.transactions - 20
    WHEN sized.place = 1
    THEN NULL
    ELSE 0
  END AS spare,
  CAST(CASE WHEN sized.whole = 1 THEN 2 * sized.first + 1 ELSE 2 * sized.number END AS INT) AS part,
  CAST(2 * sized.first + 1 AS INT) AS rest
FROM (
  SELECT
    bucket.part AS was,
    bucket.branch AS branch,
    bucket.shape AS shape,
    bucket.whole AS whole,
    bucket.transactions AS transactions,
    bucket.number AS number,
    MIN(bucket.number) OVER (PARTITION BY bucket.part) AS first,
    CAST(SUM(CASE WHEN bucket.transactions < 20 THEN bucket.transactions ELSE 0 END) OVER (PARTITION BY bucket.part, bucket.branch) AS BIGINT) AS small,
    CAST(SUM(CASE WHEN bucket.transactions < 20 THEN 0 ELSE bucket.transactions - 20 END) OVER (PARTITION BY bucket.part, bucket.branch) AS BIGINT) AS surplus,
    ROW_NUMBER() OVER (
      PARTITION BY bucket.part, bucket.branch
      ORDER BY CASE WHEN bucket.transactions < 20 THEN 1 ELSE 0 END, bucket.transactions, bucket.gain, bucket.shape
    ) AS place
  FROM (
    SELECT
      parted.part AS part,
      parted.branch AS branch,
      parted.shape AS shape,
      MAX(parted.whole) AS whole,
      COUNT(*) AS transactions,
      CAST(SUM(parted.gain) AS BIGINT) AS gain,
      ROW_NUMBER() OVER (ORDER BY parted.part, parted.branch, parted.shape) AS number
    FROM split_2 AS parted
    GROUP BY
      parted.part,
      parted.branch,
      parted.shape
  ) AS bucket
) AS sized;

-- drawn
-- drawn_2: each row is a transaction that fills the leftover up to k: those of least gain
SELECT
  ranked.tid AS tid
FROM (
  SELECT
    willing.tid AS tid,
    willing.wanted AS wanted,
    ROW_NUMBER() OVER (PARTITION BY willing.part ORDER BY willing.gain, willing.tid) AS place
  FROM (
    SELECT
      parted.tid AS tid,
      parted.part AS part,
      parted.gain AS gain,
      bucket.spare AS spare,
      bucket.wanted AS wanted,
      ROW_NUMBER() OVER (PARTITION BY parted.part, parted.shape ORDER BY parted.gain, parted.tid) AS place
    FROM split_2 AS parted
    JOIN bucket_2 AS bucket
      ON bucket.was = parted.part
      AND bucket.branch = parted.branch
      AND bucket.shape = parted.shape
    WHERE
      bucket.spare > 0
  ) AS willing
  WHERE
    willing.place <= willing.spare
) AS ranked
WHERE
  ranked.place <= ranked.wanted;

-- moved
-- moved_2: each row is a transaction with its new partition: its bucket or the leftover
SELECT
  parted.tid AS tid,
  parted.branch AS branch,
  parted.whole AS whole,
  CASE
    WHEN bucket.spare IS NULL OR NOT drawn.tid IS NULL
    THEN bucket.rest
    ELSE bucket.part
  END AS part,
  CASE WHEN bucket.spare IS NULL OR NOT drawn.tid IS NULL THEN 0 ELSE 1 END AS expanded
FROM split_2 AS parted
JOIN bucket_2 AS bucket
  ON bucket.was = parted.part
  AND bucket.branch = parted.branch
  AND bucket.shape = parted.shape
LEFT JOIN drawn_2 AS drawn
  ON drawn.tid = parted.tid;

-- left_over
-- closed: each row is a transaction of a leftover: the branch is published for it
SELECT
  moved.tid AS tid,
  moved.branch AS branch,
  moved.part AS part,
  2 AS round
FROM moved_2 AS moved
WHERE
  moved.expanded = 0;

-- reopened
-- open_3: each row is a transaction and a branch that the next round may expand
SELECT
  opened.tid AS tid,
  moved.part AS part,
  opened.branch AS branch,
  opened.gain AS gain,
  opened.shape AS shape
FROM open_2 AS opened
JOIN moved_2 AS moved
  ON moved.tid = opened.tid
WHERE
  moved.whole = 0 AND opened.branch <> moved.branch
UNION ALL
SELECT
  child.tid AS tid,
  moved.part AS part,
  child.branch AS branch,
  child.gain AS gain,
  child.shape AS shape
FROM held AS child
JOIN moved_2 AS moved
  ON moved.tid = child.tid AND moved.branch = child.up
WHERE
  moved.expanded = 1;

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
