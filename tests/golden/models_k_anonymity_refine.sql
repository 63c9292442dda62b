-- falls
-- fall: each row is a pair of nodes: the lower one can replace the upper one; gain is leaves saved
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY p.up, p.down) - 1 AS INT) AS id,
  p.up AS up,
  p.down AS down,
  p.gain AS gain
FROM (
  SELECT
    a.branch AS up,
    b.branch AS down,
    MAX(x.leaves - y.leaves) AS gain
  FROM descent AS a
  JOIN descent AS b
    ON b.item = a.item
  JOIN branch AS x
    ON x.branch = a.branch
  JOIN branch AS y
    ON y.branch = b.branch
  WHERE
    x.leaves > y.leaves
  GROUP BY
    a.branch,
    b.branch
  UNION ALL
  SELECT
    a.branch AS up,
    -1 - a.item AS down,
    x.leaves AS gain
  FROM descent AS a
  JOIN branch AS x
    ON x.branch = a.branch
) AS p;

-- drops
-- fall_of: each row is an item and a pair of nodes above it
SELECT
  f.id AS id,
  a.item AS item,
  f.up AS up,
  f.down AS down,
  f.gain AS gain
FROM fall AS f
JOIN descent AS a
  ON a.branch = f.up
JOIN descent AS b
  ON b.item = a.item AND b.branch = f.down
UNION ALL
SELECT
  f.id AS id,
  a.item AS item,
  f.up AS up,
  f.down AS down,
  f.gain AS gain
FROM fall AS f
JOIN descent AS a
  ON a.branch = f.up AND -1 - a.item = f.down;

-- first_cells
-- cell_1: each row is an occurrence in the first partition, generalized to the root
SELECT
  o.tid AS tid,
  o.item AS item,
  0 AS part,
  d.branch AS branch
FROM occurrence AS o
JOIN descent AS d
  ON d.item = o.item
WHERE
  d.up IS NULL;

-- settled
-- settled: each row will be an occurrence and the node that it is published as
SELECT
  o.tid AS tid,
  o.item AS item,
  0 AS branch
FROM occurrence AS o
WHERE
  o.tid < 0;

-- loads
-- load_2: each row is a transaction and a branch, with the number of items that it stands for
SELECT
  l.id AS id,
  CAST(l.id // 837 AS INT) AS tid,
  CAST(l.id % 837 AS INT) AS branch,
  l.part AS part,
  l.items AS items
FROM (
  SELECT
    CAST(c.tid AS BIGINT) * 837 + c.branch AS id,
    MAX(c.part) AS part,
    COUNT(*) AS items
  FROM cell_2 AS c
  GROUP BY
    CAST(c.tid AS BIGINT) * 837 + c.branch
) AS l;

-- offers
-- offer_2: each row is a transaction and a lower node that it could publish, with the leaves saved
SELECT
  g.tid AS tid,
  l.part AS part,
  g.fall AS fall,
  g.gain AS gain,
  CASE WHEN l.items > g.items THEN 1 ELSE 2 END AS kind
FROM (
  SELECT
    CAST(h.id // 20000 AS INT) AS tid,
    CAST(h.id % 20000 AS INT) AS fall,
    h.up AS up,
    h.gain AS gain,
    h.items AS items
  FROM (
    SELECT
      CAST(c.tid AS BIGINT) * 20000 + f.id AS id,
      MAX(f.up) AS up,
      CAST(SUM(f.gain) AS BIGINT) AS gain,
      COUNT(*) AS items
    FROM cell_2 AS c
    JOIN fall_of AS f
      ON f.item = c.item AND f.up = c.branch
    GROUP BY
      CAST(c.tid AS BIGINT) * 20000 + f.id
  ) AS h
) AS g
JOIN load_2 AS l
  ON l.id = CAST(g.tid AS BIGINT) * 837 + g.up;

-- choices
-- choice_2: each row is a partition and the lower node that saves most
SELECT
  r.part AS part,
  r.fall AS fall,
  r.beside AS beside,
  r.alone AS alone,
  r.wanted AS wanted
FROM (
  SELECT
    w.part AS part,
    w.fall AS fall,
    w.beside AS beside,
    w.alone AS alone,
    w.wanted AS wanted,
    ROW_NUMBER() OVER (
      PARTITION BY w.part
      ORDER BY w.gain - w.gain // w.takers * w.wanted DESC, w.up, w.down, w.beside, w.alone
    ) AS place
  FROM (
    SELECT
      o.part AS part,
      o.fall AS fall,
      o.up AS up,
      o.down AS down,
      o.beside AS beside,
      o.alone AS alone,
      o.takers AS takers,
      o.gain AS gain,
      CASE
        WHEN o.transactions = o.takers OR o.transactions - o.takers >= 20
        THEN 0
        ELSE 20 - o.transactions + o.takers
      END AS wanted,
      o.takers - 20 * (
        o.beside + o.alone
      ) AS spare
    FROM (
      WITH offered AS (
        SELECT
          o.part AS part,
          o.fall AS fall,
          COUNT(CASE WHEN o.kind = 1 THEN 1 END) AS beside,
          COUNT(CASE WHEN o.kind = 2 THEN 1 END) AS alone,
          CAST(SUM(CASE WHEN o.kind = 1 THEN o.gain ELSE 0 END) AS BIGINT) AS gain_beside,
          CAST(SUM(CASE WHEN o.kind = 2 THEN o.gain ELSE 0 END) AS BIGINT) AS gain_alone
        FROM offer_2 AS o
        GROUP BY
          o.part,
          o.fall
        HAVING
          COUNT(*) >= 20
      ), sized AS (
        SELECT
          o.part AS part,
          o.fall AS fall,
          f.up AS up,
          f.down AS down,
          o.beside AS beside,
          o.alone AS alone,
          o.gain_beside AS gain_beside,
          o.gain_alone AS gain_alone,
          l.transactions AS transactions
        FROM offered AS o
        JOIN fall AS f
          ON f.id = o.fall
        JOIN (
          SELECT
            part,
            branch,
            COUNT(*) AS transactions
          FROM load_2
          GROUP BY
            part,
            branch
        ) AS l
          ON l.part = o.part AND l.branch = f.up
      )
      SELECT
        s.part AS part,
        s.fall AS fall,
        s.up AS up,
        s.down AS down,
        1 AS beside,
        0 AS alone,
        s.beside AS takers,
        s.gain_beside AS gain,
        s.transactions AS transactions
      FROM sized AS s
      WHERE
        s.beside >= 20
      UNION ALL
      SELECT
        s.part AS part,
        s.fall AS fall,
        s.up AS up,
        s.down AS down,
        0 AS beside,
        1 AS alone,
        s.alone AS takers,
        s.gain_alone AS gain,
        s.transactions AS transactions
      FROM sized AS s
      WHERE
        s.alone >= 20
      UNION ALL
      SELECT
        s.part AS part,
        s.fall AS fall,
        s.up AS up,
        s.down AS down,
        1 AS beside,
        1 AS alone,
        s.beside + s.alone AS takers,
        s.gain_beside + s.gain_alone AS gain,
        s.transactions AS transactions
      FROM sized AS s
      WHERE
        s.beside >= 20 AND s.alone >= 20
    ) AS o
  ) AS w
  WHERE
    w.spare >= w.wanted
) AS r
WHERE
  r.place = 1;

-- takers
-- taker_2: each row is a transaction that publishes the lower node; each class and the rest keep k
SELECT
  w.tid AS tid,
  w.part AS part,
  w.fall AS fall,
  w.kind AS kind
FROM (
  SELECT
    v.tid AS tid,
    v.part AS part,
    v.fall AS fall,
    v.kind AS kind,
    v.wanted AS wanted,
    v.bound AS bound,
    ROW_NUMBER() OVER (PARTITION BY v.part, v.bound ORDER BY v.gain, v.tid) AS place
  FROM (
    SELECT
      u.tid AS tid,
      u.part AS part,
      u.fall AS fall,
      u.kind AS kind,
      u.gain AS gain,
      u.wanted AS wanted,
      CASE WHEN u.place <= u.takers - 20 THEN 0 ELSE 1 END AS bound
    FROM (
      SELECT
        o.tid AS tid,
        o.part AS part,
        o.fall AS fall,
        o.kind AS kind,
        o.gain AS gain,
        c.wanted AS wanted,
        ROW_NUMBER() OVER (PARTITION BY o.part, o.kind ORDER BY o.gain, o.tid) AS place,
        COUNT(*) OVER (PARTITION BY o.part, o.kind) AS takers
      FROM offer_2 AS o
      JOIN choice_2 AS c
        ON c.part = o.part AND c.fall = o.fall
      WHERE
        CASE WHEN o.kind = 1 THEN c.beside ELSE c.alone END = 1
    ) AS u
  ) AS v
) AS w
WHERE
  w.bound = 1 OR w.place > w.wanted;

-- heirs
-- heir_2: each row is a transaction of a split partition, with its new partition
SELECT
  m.tid AS tid,
  m.fall AS fall,
  m.up AS up,
  m.down AS down,
  CAST(DENSE_RANK() OVER (ORDER BY m.part, m.kind) AS INT) AS part
FROM (
  SELECT
    l.tid AS tid,
    l.part AS part,
    t.fall AS fall,
    f.up AS up,
    f.down AS down,
    COALESCE(t.kind, 0) AS kind
  FROM (
    SELECT DISTINCT
      l.tid AS tid,
      l.part AS part
    FROM load_2 AS l
    JOIN choice_2 AS c
      ON c.part = l.part
  ) AS l
  LEFT JOIN taker_2 AS t
    ON t.tid = l.tid
  LEFT JOIN fall AS f
    ON f.id = t.fall
) AS m;

-- settling
-- settled: each row is an occurrence of a partition that cannot be split: its node is final
SELECT
  c.tid AS tid,
  c.item AS item,
  c.branch AS branch
FROM cell_2 AS c
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM choice_2 AS d
    WHERE
      d.part = c.part
  );

-- next_cells
-- cell_3: each row is an occurrence that the next round may generalize less
SELECT
  g.tid AS tid,
  g.item AS item,
  g.part AS part,
  g.branch AS branch
FROM (
  SELECT
    c.tid AS tid,
    c.item AS item,
    h.part AS part,
    CASE WHEN f.item IS NULL THEN c.branch ELSE f.down END AS branch
  FROM cell_2 AS c
  JOIN heir_2 AS h
    ON h.tid = c.tid
  LEFT JOIN fall_of AS f
    ON f.id = h.fall AND f.item = c.item AND f.up = c.branch
) AS g
WHERE
  g.branch >= 0;

-- costs
-- costs: sums the loss of the refined and of the greedy release: the smaller one is released
SELECT
  r.cost AS refined,
  g.cost AS greedy
FROM (
  SELECT
    CAST(COALESCE(SUM(b.leaves), 0) AS BIGINT) AS cost
  FROM settled AS s
  JOIN branch AS b
    ON b.branch = s.branch
) AS r
CROSS JOIN (
  SELECT
    CAST(COALESCE(SUM(b.leaves), 0) AS BIGINT) AS cost
  FROM closed AS c
  JOIN occurrence AS o
    ON o.tid = c.tid
  JOIN descent AS d
    ON d.item = o.item AND d.branch = c.branch
  JOIN branch AS b
    ON b.branch = c.branch
) AS g;

-- recoded
-- recoded: each row is an occurrence with its published node: its settled branch, or the item itself
SELECT
  o.tid AS tid,
  o.item AS item,
  COALESCE(b.node, o.item) AS node
FROM occurrence AS o
LEFT JOIN settled AS s
  ON s.tid = o.tid AND s.item = o.item
LEFT JOIN branch AS b
  ON b.branch = s.branch;
