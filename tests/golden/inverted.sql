-- secrets
-- secret: each row is a private item that a transaction holds; an attacker wants to infer it
SELECT
  o.tid AS tid,
  o.item AS item
FROM occurrence AS o
JOIN private_item AS r
  ON r.item = o.item;

-- extensions
-- extension: each row is an occurrence of a public item that is no mole alone; larger itemsets use these
SELECT
  o.tid AS tid,
  o.item AS item
FROM occurrence AS o
JOIN judged_1 AS j
  ON j.id = o.item
WHERE
  j.verdict = 0;

-- holders
SELECT
  c.id AS id,
  o.tid AS tid
FROM occurrence AS o
JOIN counted_1 AS c
  ON c.id = o.item
WHERE
  c.support >= 20;

-- postings-64
-- posting_1: the index
SELECT
  r.id AS id,
  CAST(r.tid // 64 AS INT) AS block,
  BITSTRING_AGG(CAST(r.tid % 64 AS INT), 0, 63) AS bits
FROM (
  SELECT
    CAST(item AS BIGINT) AS id,
    tid
  FROM extension
) AS r
GROUP BY
  r.id,
  CAST(r.tid // 64 AS INT);

-- postings-126
-- posting_1: the index
SELECT
  w.id AS id,
  CAST(w.word // 2 AS INT) AS block,
  MAX(CASE WHEN w.word % 2 = 0 THEN w.bits ELSE 0 END) AS bits_1,
  MAX(CASE WHEN w.word % 2 = 1 THEN w.bits ELSE 0 END) AS bits_2
FROM (
  SELECT
    r.id AS id,
    r.tid // 63 AS word,
    BIT_OR(CAST(1 AS BIGINT) << CAST(r.tid % 63 AS INT)) AS bits
  FROM (
    SELECT
      CAST(item AS BIGINT) AS id,
      tid
    FROM extension
  ) AS r
  GROUP BY
    r.id,
    r.tid // 63
) AS w
GROUP BY
  w.id,
  CAST(w.word // 2 AS INT);

-- postings-4096
-- posting_1: the index
SELECT
  r.id AS id,
  CAST(r.tid // 4096 AS INT) AS block,
  BITSTRING_AGG(CAST(r.tid % 4096 AS INT), 0, 4095) AS bits
FROM (
  SELECT
    CAST(item AS BIGINT) AS id,
    tid
  FROM extension
) AS r
GROUP BY
  r.id,
  CAST(r.tid // 4096 AS INT);

-- side_by_side
-- place: puts transactions with alike items side by side: blocks fill up
SELECT
  s.tid AS tid,
  ROW_NUMBER() OVER (ORDER BY s.items, s.tid) - 1 AS place
FROM (
  SELECT
    r.tid AS tid,
    BIT_OR(
      CASE WHEN r.rank >= 38 THEN CAST(1 AS BIGINT) << CAST(99 - r.rank AS INT) ELSE 0 END
    ) AS items
  FROM ranked AS r
  GROUP BY
    r.tid
) AS s;

-- side_by_side-few
-- place: puts transactions with alike items side by side: blocks fill up
SELECT
  s.tid AS tid,
  ROW_NUMBER() OVER (ORDER BY s.items, s.tid) - 1 AS place
FROM (
  SELECT
    r.tid AS tid,
    BIT_OR(
      CASE WHEN r.rank >= 0 THEN CAST(1 AS BIGINT) << CAST(4 - r.rank AS INT) ELSE 0 END
    ) AS items
  FROM ranked AS r
  GROUP BY
    r.tid
) AS s;

-- density
-- density: counts transactions by their number of extendible items: decides between lists and bits
SELECT
  counted.held AS held,
  COUNT(*) AS transactions
FROM (
  SELECT
    r.tid AS owner,
    COUNT(*) AS held
  FROM extension AS r
  GROUP BY
    r.tid
) AS counted
GROUP BY
  counted.held
ORDER BY
  held;
