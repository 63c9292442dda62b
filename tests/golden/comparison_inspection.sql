-- exposed_by_items
-- exposed_1: each row is a block of bits, one per transaction that a rare itemset singles out
SELECT
  CAST(h.tid // 64 AS INT) AS block,
  BITSTRING_AGG(CAST(h.tid % 64 AS INT), 0, 63) AS bits
FROM (
  SELECT DISTINCT
    o.tid AS tid
  FROM occurrence AS o
  JOIN judged_1 AS j
    ON j.id = o.item
  WHERE
    j.verdict = 1
) AS h
GROUP BY
  CAST(h.tid // 64 AS INT);

-- exposed_in_lists-2
-- exposed_2: each row is a block of bits, one per transaction that a rare itemset singles out
SELECT
  CAST(h.tid // 64 AS INT) AS block,
  BITSTRING_AGG(CAST(h.tid % 64 AS INT), 0, 63) AS bits
FROM (
  SELECT DISTINCT
    h.tid AS tid
  FROM (
    SELECT
      CAST(item AS BIGINT) AS id,
      tid
    FROM extension
  ) AS h
  JOIN extension AS x
    ON x.tid = h.tid AND x.item > h.id
  JOIN counted_2 AS c
    ON CAST(c.parent AS BIGINT) * 100 + c.item_2 = h.id * 100 + x.item
  JOIN judged_2 AS j
    ON j.id = c.id
  WHERE
    j.verdict = 1
) AS h
GROUP BY
  CAST(h.tid // 64 AS INT);

-- exposed_in_bits-2
-- exposed_2: each row is a block of bits, one per transaction that a rare itemset singles out
SELECT
  a.block AS block,
  BIT_OR(a.bits & b.bits) AS bits
FROM counted_2 AS c
JOIN judged_2 AS j
  ON j.id = c.id
JOIN posting_1 AS a
  ON a.id = c.parent
JOIN posting_1 AS b
  ON b.id = c.item_2 AND b.block = a.block
WHERE
  j.verdict = 1
GROUP BY
  a.block;

-- exposed_in_lists-3
-- exposed_3: each row is a block of bits, one per transaction that a rare itemset singles out
SELECT
  CAST(h.tid // 64 AS INT) AS block,
  BITSTRING_AGG(CAST(h.tid % 64 AS INT), 0, 63) AS bits
FROM (
  SELECT DISTINCT
    h.tid AS tid
  FROM cohort_2 AS h
  JOIN extension AS x
    ON x.tid = h.tid
  JOIN counted_3 AS c
    ON CAST(c.parent AS BIGINT) * 100 + c.item_3 = h.id * 100 + x.item
  JOIN judged_3 AS j
    ON j.id = c.id
  WHERE
    j.verdict = 1
) AS h
GROUP BY
  CAST(h.tid // 64 AS INT);

-- exposed_in_bits-3
-- exposed_3: each row is a block of bits, one per transaction that a rare itemset singles out
SELECT
  a.block AS block,
  BIT_OR(a.bits & b.bits) AS bits
FROM counted_3 AS c
JOIN judged_3 AS j
  ON j.id = c.id
JOIN posting_2 AS a
  ON a.id = c.parent
JOIN posting_1 AS b
  ON b.id = c.item_3 AND b.block = a.block
WHERE
  j.verdict = 1
GROUP BY
  a.block;

-- exposure-2
-- exposure_2: counts the transactions that an attacker who knows up to 2 items could single out
SELECT
  CAST(COALESCE(SUM(BIT_COUNT(bits)), 0) AS BIGINT) AS transactions
FROM (
  SELECT
    block,
    BIT_OR(bits) AS bits
  FROM (
    SELECT
      block,
      bits
    FROM exposed_1
    UNION ALL
    SELECT
      block,
      bits
    FROM exposed_2
  ) AS parts
  GROUP BY
    block
) AS merged;

-- exposure-3
-- exposure_3: counts the transactions that an attacker who knows up to 3 items could single out
SELECT
  CAST(COALESCE(SUM(BIT_COUNT(bits)), 0) AS BIGINT) AS transactions
FROM (
  SELECT
    block,
    BIT_OR(bits) AS bits
  FROM (
    SELECT
      block,
      bits
    FROM exposed_1
    UNION ALL
    SELECT
      block,
      bits
    FROM exposed_2
    UNION ALL
    SELECT
      block,
      bits
    FROM exposed_3
  ) AS parts
  GROUP BY
    block
) AS merged;

-- exposed_persons
-- exposed_persons_2: counts the persons whom an attacker who knows up to 2 items could single out
SELECT
  COUNT(DISTINCT o.person) AS persons
FROM (
  SELECT
    b.person AS person,
    CAST(b.tid // 64 AS INT) AS block,
    BITSTRING_AGG(CAST(b.tid % 64 AS INT), 0, 63) AS bits
  FROM basket AS b
  GROUP BY
    b.tid,
    b.person
) AS o
JOIN (
  SELECT
    block,
    BIT_OR(bits) AS bits
  FROM (
    SELECT
      block,
      bits
    FROM exposed_1
    UNION ALL
    SELECT
      block,
      bits
    FROM exposed_2
  ) AS parts
  GROUP BY
    block
) AS e
  ON e.block = o.block
WHERE
  BIT_COUNT(e.bits & o.bits) > 0;

-- histogram
-- histogram: counts items and occurrences by bands of support
SELECT
  power AS at_least,
  COUNT(*) AS items,
  CAST(SUM(support) AS BIGINT) AS occurrences
FROM (
  SELECT
    support,
    CASE
      WHEN support < 10
      THEN 1
      WHEN support < 100
      THEN 10
      WHEN support < 1000
      THEN 100
      WHEN support < 10000
      THEN 1000
      WHEN support < 100000
      THEN 10000
      ELSE 100000
    END AS power
  FROM item
) AS sized
GROUP BY
  power
ORDER BY
  at_least;

-- lengths
-- lengths: counts transactions by bands of their numbers of items
SELECT
  s.band AS at_least,
  MAX(s.held) AS most,
  COUNT(*) AS transactions
FROM (
  SELECT
    h.held AS held,
    CASE
      WHEN h.held <= 20
      THEN h.held
      WHEN h.held <= 100
      THEN (
        h.held - 1
      ) // 10 * 10 + 1
      WHEN h.held < 1001
      THEN (
        h.held - 1
      ) // 100 * 100 + 1
      ELSE 1001
    END AS band
  FROM (
    SELECT
      b.tid AS tid,
      COUNT(o.item) AS held
    FROM basket AS b
    LEFT JOIN occurrence AS o
      ON o.tid = b.tid
    GROUP BY
      b.tid
  ) AS h
) AS s
GROUP BY
  s.band
ORDER BY
  at_least;
