-- restricted
-- restricted: each row is an item of a restrictive pattern: an itemset to hide
SELECT
  CAST(v.pattern AS INT) AS pattern,
  CAST(v.item AS INT) AS item
FROM (VALUES
  (0, 3),
  (0, 7),
  (1, 7)) AS v(pattern, item);

-- decided
-- quota: how many
SELECT
  CAST(v.pattern AS INT) AS pattern,
  CAST(v.n AS INT) AS n
FROM (VALUES
  (0, 3),
  (1, 7)) AS v(pattern, n);

-- decided-nothing
-- quota: how many
SELECT
  CAST(v.pattern AS INT) AS pattern,
  CAST(v.n AS INT) AS n
FROM (
  SELECT
    0 AS pattern,
    0 AS n
  WHERE
    FALSE
) AS v;

-- index
-- posting: each row is an item and a block of bits: one bit per transaction that holds it
SELECT
  r.id AS id,
  CAST(r.tid // 64 AS INT) AS block,
  BITSTRING_AGG(CAST(r.tid % 64 AS INT), 0, 63) AS bits
FROM (
  SELECT
    o.item AS id,
    o.tid AS tid
  FROM occurrence AS o
  JOIN (
    SELECT DISTINCT
      item
    FROM restricted
  ) AS r
    ON r.item = o.item
) AS r
GROUP BY
  r.id,
  CAST(r.tid // 64 AS INT);

-- places
-- place: each row is a place in a block, and the block with only its bit: it reads single bits
SELECT
  r.id AS id,
  CAST(r.tid // 64 AS INT) AS block,
  BITSTRING_AGG(CAST(r.tid % 64 AS INT), 0, 63) AS bits
FROM (
  SELECT
    tid AS id,
    tid
  FROM basket
  WHERE
    tid < 64
) AS r
GROUP BY
  r.id,
  CAST(r.tid // 64 AS INT);

-- retrieved
-- retrieved: each row is a pattern and a block of bits: one bit per transaction that holds all its items
SELECT
  r.pattern AS pattern,
  p.block AS block,
  BIT_AND(p.bits) AS bits
FROM restricted AS r
JOIN posting AS p
  ON p.id = r.item
JOIN (
  SELECT
    pattern,
    COUNT(*) AS size
  FROM restricted
  GROUP BY
    pattern
) AS n
  ON n.pattern = r.pattern
GROUP BY
  r.pattern,
  n.size,
  p.block
HAVING
  COUNT(*) = n.size AND BIT_COUNT(BIT_AND(p.bits)) > 0;

-- sensitive
-- sensitive: each row is a pattern and a sensitive transaction: it holds all items of the pattern
SELECT
  r.pattern AS pattern,
  CAST(r.block * 64 + p.id AS INT) AS tid
FROM retrieved AS r
JOIN place AS p
  ON BIT_COUNT(r.bits & p.bits) = 1;

-- conflicts
-- conflict: each row is a transaction with its degree of conflict: the number of patterns it holds
SELECT
  tid,
  COUNT(*) AS degree
FROM sensitive
GROUP BY
  tid;

-- degrees
-- degrees: counts the transactions by the number of patterns they hold
SELECT
  degree,
  COUNT(*) AS transactions
FROM conflict
GROUP BY
  degree
ORDER BY
  degree;

-- supports
-- supports: counts the transactions that hold each pattern: the number to sanitize follows from it
SELECT
  pattern,
  COUNT(*) AS support
FROM sensitive
GROUP BY
  pattern
ORDER BY
  pattern;

-- item_supports
-- item_supports: lists the supports of the items, from which each pattern's victim is chosen
SELECT
  i.item AS item,
  i.support AS support
FROM item AS i
JOIN (
  SELECT DISTINCT
    item
  FROM restricted
) AS r
  ON r.item = i.item
ORDER BY
  item;

-- sanitized-False
-- sanitized: each row is a transaction that loses a pattern: fewest conflicts first, then by key
SELECT
  n.pattern AS pattern,
  n.tid AS tid
FROM (
  SELECT
    s.pattern AS pattern,
    s.tid AS tid,
    ROW_NUMBER() OVER (PARTITION BY s.pattern ORDER BY c.degree, b.key) AS place
  FROM sensitive AS s
  JOIN conflict AS c
    ON c.tid = s.tid
  JOIN basket AS b
    ON b.tid = s.tid
) AS n
JOIN quota AS q
  ON q.pattern = n.pattern
WHERE
  n.place <= q.transactions;

-- sanitized-True
-- sanitized: each row is a transaction that loses a pattern: most conflicts first, then by key
SELECT
  n.pattern AS pattern,
  n.tid AS tid
FROM (
  SELECT
    s.pattern AS pattern,
    s.tid AS tid,
    ROW_NUMBER() OVER (PARTITION BY s.pattern ORDER BY -c.degree, b.key) AS place
  FROM sensitive AS s
  JOIN conflict AS c
    ON c.tid = s.tid
  JOIN basket AS b
    ON b.tid = s.tid
) AS n
JOIN quota AS q
  ON q.pattern = n.pattern
WHERE
  n.place <= q.transactions;

-- suppressed
-- suppressed: each row is an occurrence that the release leaves out: the victim of a pattern
SELECT DISTINCT
  s.tid AS tid,
  v.item AS item,
  1 AS round
FROM sanitized AS s
JOIN victim AS v
  ON v.pattern = s.pattern;

-- suppressed_but_one
-- suppressed: each row is an occurrence that the release leaves out; a transaction keeps an item
SELECT
  g.tid AS tid,
  g.item AS item,
  1 AS round
FROM (
  SELECT
    v.tid AS tid,
    v.item AS item,
    h.held AS held,
    x.item AS restricted,
    COUNT(*) OVER (PARTITION BY v.tid) AS gone,
    ROW_NUMBER() OVER (
      PARTITION BY v.tid
      ORDER BY CASE WHEN x.item IS NULL THEN 0 ELSE 1 END, -i.support, v.item
    ) AS place
  FROM (
    SELECT DISTINCT
      s.tid AS tid,
      v.item AS item
    FROM sanitized AS s
    JOIN victim AS v
      ON v.pattern = s.pattern
  ) AS v
  JOIN item AS i
    ON i.item = v.item
  JOIN (
    SELECT
      tid,
      COUNT(*) AS held
    FROM occurrence
    GROUP BY
      tid
  ) AS h
    ON h.tid = v.tid
  LEFT JOIN (
    SELECT
      MIN(r.item) AS item
    FROM restricted AS r
    GROUP BY
      r.pattern
    HAVING
      COUNT(*) = 1
  ) AS x
    ON x.item = v.item
) AS g
WHERE
  g.gone < g.held OR g.place > 1 OR NOT g.restricted IS NULL;

-- losses
-- losses: counts suppressed occurrences, and transactions that lose all their items
SELECT
  CAST(COALESCE(SUM(d.gone), 0) AS BIGINT) AS occurrences,
  COUNT(CASE WHEN d.gone = h.held THEN 1 END) AS emptied
FROM (
  SELECT
    tid,
    COUNT(*) AS gone
  FROM suppressed
  GROUP BY
    tid
) AS d
JOIN (
  SELECT
    tid,
    COUNT(*) AS held
  FROM occurrence
  GROUP BY
    tid
) AS h
  ON h.tid = d.tid;
