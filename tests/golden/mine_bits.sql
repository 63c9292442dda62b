-- side_by_side
-- found_place_1: puts transactions with alike items side by side: blocks fill up
SELECT
  s.tid AS tid,
  ROW_NUMBER() OVER (ORDER BY s.items, s.tid) - 1 AS place
FROM (
  SELECT
    r.tid AS tid,
    BIT_OR(
      CASE WHEN r.rank >= 38 THEN CAST(1 AS BIGINT) << CAST(99 - r.rank AS INT) ELSE 0 END
    ) AS items
  FROM (
    SELECT
      spot AS tid,
      last AS rank
    FROM found_cohort_1
  ) AS r
  GROUP BY
    r.tid
) AS s;

-- posted_items
-- found_posting_1: each row is a frequent item and a block of bits: one bit per transaction that holds it
SELECT
  r.id AS id,
  CAST(r.tid // 4096 AS INT) AS block,
  BITSTRING_AGG(CAST(r.tid % 4096 AS INT), 0, 4095) AS bits
FROM (
  SELECT
    id,
    spot AS tid
  FROM found_cohort_1
) AS r
GROUP BY
  r.id,
  CAST(r.tid // 4096 AS INT);

-- posted_items-placed
-- found_posting_1: each row is a frequent item and a block of bits: one bit per transaction that holds it
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
      c.id AS id,
      p.place AS tid
    FROM found_cohort_1 AS c
    JOIN found_place_1 AS p
      ON p.tid = c.spot
  ) AS r
  GROUP BY
    r.id,
    r.tid // 63
) AS w
GROUP BY
  w.id,
  CAST(w.word // 2 AS INT);

-- parted-11
-- found_part_2: each row is an itemset of 2 items that must be counted, with its parts
SELECT
  CAST(c.item_1 AS BIGINT) AS part_1,
  CAST(c.item_2 AS BIGINT) AS part_2,
  c.met AS met
FROM found_candidate_2 AS c
WHERE
  c.given = 0;

-- counted_in_bits-11-4096
-- found_2: each row is a frequent itemset of 2 items; its support is counted from bits, or given
SELECT
  ROW_NUMBER() OVER (ORDER BY c.item_1, c.item_2) AS id,
  COALESCE(m.support, c.bound) AS support,
  c.met AS met,
  CASE WHEN m.support < c.bound THEN 1 ELSE 0 END AS free,
  c.sub_1 AS sub_1,
  c.item_1 AS item_1,
  c.item_2 AS item_2
FROM found_candidate_2 AS c
LEFT JOIN (
  SELECT
    c.met AS met,
    CAST(SUM(BIT_COUNT((
      a1.bits & a2.bits
    ))) AS BIGINT) AS support
  FROM found_part_2 AS c
  JOIN found_posting_1 AS a1
    ON a1.id = c.part_1
  JOIN found_posting_1 AS a2
    ON a2.id = c.part_2 AND a2.block = a1.block
  GROUP BY
    c.met
  HAVING
    SUM(BIT_COUNT((
      a1.bits & a2.bits
    ))) >= 20
) AS m
  ON m.met = c.met
WHERE
  c.given = 1 OR NOT m.support IS NULL;

-- posted-11-4096
-- found_posting_2: each row is a frequent itemset and a block of bits: one bit per transaction that holds it; itemsets with the support of a smaller one are left out
SELECT
  c.id AS id,
  a1.block AS block,
  (
    a1.bits & a2.bits
  ) AS bits
FROM (
  SELECT
    CAST(c.item_1 AS BIGINT) AS part_1,
    CAST(c.item_2 AS BIGINT) AS part_2,
    c.id AS id
  FROM found_2 AS c
  WHERE
    c.free = 1
) AS c
JOIN found_posting_1 AS a1
  ON a1.id = c.part_1
JOIN found_posting_1 AS a2
  ON a2.id = c.part_2 AND a2.block = a1.block
WHERE
  BIT_COUNT((
    a1.bits & a2.bits
  )) > 0;

-- counted_in_bits-11-126
-- found_2: each row is a frequent itemset of 2 items; its support is counted from bits, or given
SELECT
  ROW_NUMBER() OVER (ORDER BY c.item_1, c.item_2) AS id,
  COALESCE(m.support, c.bound) AS support,
  c.met AS met,
  CASE WHEN m.support < c.bound THEN 1 ELSE 0 END AS free,
  c.sub_1 AS sub_1,
  c.item_1 AS item_1,
  c.item_2 AS item_2
FROM found_candidate_2 AS c
LEFT JOIN (
  SELECT
    c.met AS met,
    CAST(SUM(
      CAST(BIT_COUNT((
        a1.bits_1 & a2.bits_1
      )) AS INT) + CAST(BIT_COUNT((
        a1.bits_2 & a2.bits_2
      )) AS INT)
    ) AS BIGINT) AS support
  FROM found_part_2 AS c
  JOIN found_posting_1 AS a1
    ON a1.id = c.part_1
  JOIN found_posting_1 AS a2
    ON a2.id = c.part_2 AND a2.block = a1.block
  GROUP BY
    c.met
  HAVING
    SUM(
      CAST(BIT_COUNT((
        a1.bits_1 & a2.bits_1
      )) AS INT) + CAST(BIT_COUNT((
        a1.bits_2 & a2.bits_2
      )) AS INT)
    ) >= 20
) AS m
  ON m.met = c.met
WHERE
  c.given = 1 OR NOT m.support IS NULL;

-- posted-11-126
-- found_posting_2: each row is a frequent itemset and a block of bits: one bit per transaction that holds it; itemsets with the support of a smaller one are left out
SELECT
  c.id AS id,
  a1.block AS block,
  (
    a1.bits_1 & a2.bits_1
  ) AS bits_1,
  (
    a1.bits_2 & a2.bits_2
  ) AS bits_2
FROM (
  SELECT
    CAST(c.item_1 AS BIGINT) AS part_1,
    CAST(c.item_2 AS BIGINT) AS part_2,
    c.id AS id
  FROM found_2 AS c
  WHERE
    c.free = 1
) AS c
JOIN found_posting_1 AS a1
  ON a1.id = c.part_1
JOIN found_posting_1 AS a2
  ON a2.id = c.part_2 AND a2.block = a1.block
WHERE
  (
    a1.bits_1 & a2.bits_1
  ) <> 0 OR (
    a1.bits_2 & a2.bits_2
  ) <> 0;

-- parted-21
-- found_part_3: each row is an itemset of 3 items that must be counted, with its parts
SELECT
  s1.id AS part_1,
  CAST(c.item_3 AS BIGINT) AS part_2,
  c.met AS met
FROM found_candidate_3 AS c
JOIN found_2 AS s1
  ON s1.item_1 = c.item_1 AND s1.item_2 = c.item_2
WHERE
  c.given = 0;

-- counted_in_bits-21-4096
-- found_3: each row is a frequent itemset of 3 items; its support is counted from bits, or given
SELECT
  ROW_NUMBER() OVER (ORDER BY c.item_1, c.item_2, c.item_3) AS id,
  COALESCE(m.support, c.bound) AS support,
  c.met AS met,
  CASE WHEN m.support < c.bound THEN 1 ELSE 0 END AS free,
  c.sub_1 AS sub_1,
  c.sub_2 AS sub_2,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3
FROM found_candidate_3 AS c
LEFT JOIN (
  SELECT
    c.met AS met,
    CAST(SUM(BIT_COUNT((
      a1.bits & a2.bits
    ))) AS BIGINT) AS support
  FROM found_part_3 AS c
  JOIN found_posting_2 AS a1
    ON a1.id = c.part_1
  JOIN found_posting_1 AS a2
    ON a2.id = c.part_2 AND a2.block = a1.block
  GROUP BY
    c.met
  HAVING
    SUM(BIT_COUNT((
      a1.bits & a2.bits
    ))) >= 20
) AS m
  ON m.met = c.met
WHERE
  c.given = 1 OR NOT m.support IS NULL;

-- posted-21-4096
-- found_posting_3: each row is a frequent itemset and a block of bits: one bit per transaction that holds it; itemsets with the support of a smaller one are left out
SELECT
  c.id AS id,
  a1.block AS block,
  (
    a1.bits & a2.bits
  ) AS bits
FROM (
  SELECT
    s1.id AS part_1,
    CAST(c.item_3 AS BIGINT) AS part_2,
    c.id AS id
  FROM found_3 AS c
  JOIN found_2 AS s1
    ON s1.item_1 = c.item_1 AND s1.item_2 = c.item_2
  WHERE
    c.free = 1
) AS c
JOIN found_posting_2 AS a1
  ON a1.id = c.part_1
JOIN found_posting_1 AS a2
  ON a2.id = c.part_2 AND a2.block = a1.block
WHERE
  BIT_COUNT((
    a1.bits & a2.bits
  )) > 0;

-- counted_in_bits-21-126
-- found_3: each row is a frequent itemset of 3 items; its support is counted from bits, or given
SELECT
  ROW_NUMBER() OVER (ORDER BY c.item_1, c.item_2, c.item_3) AS id,
  COALESCE(m.support, c.bound) AS support,
  c.met AS met,
  CASE WHEN m.support < c.bound THEN 1 ELSE 0 END AS free,
  c.sub_1 AS sub_1,
  c.sub_2 AS sub_2,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3
FROM found_candidate_3 AS c
LEFT JOIN (
  SELECT
    c.met AS met,
    CAST(SUM(
      CAST(BIT_COUNT((
        a1.bits_1 & a2.bits_1
      )) AS INT) + CAST(BIT_COUNT((
        a1.bits_2 & a2.bits_2
      )) AS INT)
    ) AS BIGINT) AS support
  FROM found_part_3 AS c
  JOIN found_posting_2 AS a1
    ON a1.id = c.part_1
  JOIN found_posting_1 AS a2
    ON a2.id = c.part_2 AND a2.block = a1.block
  GROUP BY
    c.met
  HAVING
    SUM(
      CAST(BIT_COUNT((
        a1.bits_1 & a2.bits_1
      )) AS INT) + CAST(BIT_COUNT((
        a1.bits_2 & a2.bits_2
      )) AS INT)
    ) >= 20
) AS m
  ON m.met = c.met
WHERE
  c.given = 1 OR NOT m.support IS NULL;

-- posted-21-126
-- found_posting_3: each row is a frequent itemset and a block of bits: one bit per transaction that holds it; itemsets with the support of a smaller one are left out
SELECT
  c.id AS id,
  a1.block AS block,
  (
    a1.bits_1 & a2.bits_1
  ) AS bits_1,
  (
    a1.bits_2 & a2.bits_2
  ) AS bits_2
FROM (
  SELECT
    s1.id AS part_1,
    CAST(c.item_3 AS BIGINT) AS part_2,
    c.id AS id
  FROM found_3 AS c
  JOIN found_2 AS s1
    ON s1.item_1 = c.item_1 AND s1.item_2 = c.item_2
  WHERE
    c.free = 1
) AS c
JOIN found_posting_2 AS a1
  ON a1.id = c.part_1
JOIN found_posting_1 AS a2
  ON a2.id = c.part_2 AND a2.block = a1.block
WHERE
  (
    a1.bits_1 & a2.bits_1
  ) <> 0 OR (
    a1.bits_2 & a2.bits_2
  ) <> 0;

-- parted-111
-- found_part_3: each row is an itemset of 3 items that must be counted, with its parts
SELECT
  CAST(c.item_1 AS BIGINT) AS part_1,
  CAST(c.item_2 AS BIGINT) AS part_2,
  CAST(c.item_3 AS BIGINT) AS part_3,
  c.met AS met
FROM found_candidate_3 AS c
WHERE
  c.given = 0;

-- counted_in_bits-111-4096
-- found_3: each row is a frequent itemset of 3 items; its support is counted from bits, or given
SELECT
  ROW_NUMBER() OVER (ORDER BY c.item_1, c.item_2, c.item_3) AS id,
  COALESCE(m.support, c.bound) AS support,
  c.met AS met,
  CASE WHEN m.support < c.bound THEN 1 ELSE 0 END AS free,
  c.sub_1 AS sub_1,
  c.sub_2 AS sub_2,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3
FROM found_candidate_3 AS c
LEFT JOIN (
  SELECT
    c.met AS met,
    CAST(SUM(BIT_COUNT((
      a1.bits & a2.bits & a3.bits
    ))) AS BIGINT) AS support
  FROM found_part_3 AS c
  JOIN found_posting_1 AS a1
    ON a1.id = c.part_1
  JOIN found_posting_1 AS a2
    ON a2.id * 2147483648 + a2.block = c.part_2 * 2147483648 + a1.block
  JOIN found_posting_1 AS a3
    ON a3.id * 2147483648 + a3.block = c.part_3 * 2147483648 + a1.block
  GROUP BY
    c.met
  HAVING
    SUM(BIT_COUNT((
      a1.bits & a2.bits & a3.bits
    ))) >= 20
) AS m
  ON m.met = c.met
WHERE
  c.given = 1 OR NOT m.support IS NULL;

-- posted-111-4096
-- found_posting_3: each row is a frequent itemset and a block of bits: one bit per transaction that holds it; itemsets with the support of a smaller one are left out
SELECT
  c.id AS id,
  a1.block AS block,
  (
    a1.bits & a2.bits & a3.bits
  ) AS bits
FROM (
  SELECT
    CAST(c.item_1 AS BIGINT) AS part_1,
    CAST(c.item_2 AS BIGINT) AS part_2,
    CAST(c.item_3 AS BIGINT) AS part_3,
    c.id AS id
  FROM found_3 AS c
  WHERE
    c.free = 1
) AS c
JOIN found_posting_1 AS a1
  ON a1.id = c.part_1
JOIN found_posting_1 AS a2
  ON a2.id * 2147483648 + a2.block = c.part_2 * 2147483648 + a1.block
JOIN found_posting_1 AS a3
  ON a3.id * 2147483648 + a3.block = c.part_3 * 2147483648 + a1.block
WHERE
  BIT_COUNT((
    a1.bits & a2.bits & a3.bits
  )) > 0;

-- counted_in_bits-111-126
-- found_3: each row is a frequent itemset of 3 items; its support is counted from bits, or given
SELECT
  ROW_NUMBER() OVER (ORDER BY c.item_1, c.item_2, c.item_3) AS id,
  COALESCE(m.support, c.bound) AS support,
  c.met AS met,
  CASE WHEN m.support < c.bound THEN 1 ELSE 0 END AS free,
  c.sub_1 AS sub_1,
  c.sub_2 AS sub_2,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3
FROM found_candidate_3 AS c
LEFT JOIN (
  SELECT
    c.met AS met,
    CAST(SUM(
      CAST(BIT_COUNT((
        a1.bits_1 & a2.bits_1 & a3.bits_1
      )) AS INT) + CAST(BIT_COUNT((
        a1.bits_2 & a2.bits_2 & a3.bits_2
      )) AS INT)
    ) AS BIGINT) AS support
  FROM found_part_3 AS c
  JOIN found_posting_1 AS a1
    ON a1.id = c.part_1
  JOIN found_posting_1 AS a2
    ON a2.id * 2147483648 + a2.block = c.part_2 * 2147483648 + a1.block
  JOIN found_posting_1 AS a3
    ON a3.id * 2147483648 + a3.block = c.part_3 * 2147483648 + a1.block
  GROUP BY
    c.met
  HAVING
    SUM(
      CAST(BIT_COUNT((
        a1.bits_1 & a2.bits_1 & a3.bits_1
      )) AS INT) + CAST(BIT_COUNT((
        a1.bits_2 & a2.bits_2 & a3.bits_2
      )) AS INT)
    ) >= 20
) AS m
  ON m.met = c.met
WHERE
  c.given = 1 OR NOT m.support IS NULL;

-- posted-111-126
-- found_posting_3: each row is a frequent itemset and a block of bits: one bit per transaction that holds it; itemsets with the support of a smaller one are left out
SELECT
  c.id AS id,
  a1.block AS block,
  (
    a1.bits_1 & a2.bits_1 & a3.bits_1
  ) AS bits_1,
  (
    a1.bits_2 & a2.bits_2 & a3.bits_2
  ) AS bits_2
FROM (
  SELECT
    CAST(c.item_1 AS BIGINT) AS part_1,
    CAST(c.item_2 AS BIGINT) AS part_2,
    CAST(c.item_3 AS BIGINT) AS part_3,
    c.id AS id
  FROM found_3 AS c
  WHERE
    c.free = 1
) AS c
JOIN found_posting_1 AS a1
  ON a1.id = c.part_1
JOIN found_posting_1 AS a2
  ON a2.id * 2147483648 + a2.block = c.part_2 * 2147483648 + a1.block
JOIN found_posting_1 AS a3
  ON a3.id * 2147483648 + a3.block = c.part_3 * 2147483648 + a1.block
WHERE
  (
    a1.bits_1 & a2.bits_1 & a3.bits_1
  ) <> 0
  OR (
    a1.bits_2 & a2.bits_2 & a3.bits_2
  ) <> 0;

-- parted-32
-- found_part_5: each row is an itemset of 5 items that must be counted, with its parts
SELECT
  s1.id AS part_1,
  s2.id AS part_2,
  c.met AS met
FROM found_candidate_5 AS c
JOIN found_3 AS s1
  ON s1.item_1 = c.item_1 AND s1.item_2 = c.item_2 AND s1.item_3 = c.item_3
JOIN found_2 AS s2
  ON s2.item_1 = c.item_4 AND s2.item_2 = c.item_5
WHERE
  c.given = 0;

-- counted_in_bits-32-4096
-- found_5: each row is a frequent itemset of 5 items; its support is counted from bits, or given
SELECT
  ROW_NUMBER() OVER (ORDER BY c.item_1, c.item_2, c.item_3, c.item_4, c.item_5) AS id,
  COALESCE(m.support, c.bound) AS support,
  c.met AS met,
  CASE WHEN m.support < c.bound THEN 1 ELSE 0 END AS free,
  c.sub_1 AS sub_1,
  c.sub_2 AS sub_2,
  c.sub_3 AS sub_3,
  c.sub_4 AS sub_4,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3,
  c.item_4 AS item_4,
  c.item_5 AS item_5
FROM found_candidate_5 AS c
LEFT JOIN (
  SELECT
    c.met AS met,
    CAST(SUM(BIT_COUNT((
      a1.bits & a2.bits
    ))) AS BIGINT) AS support
  FROM found_part_5 AS c
  JOIN found_posting_3 AS a1
    ON a1.id = c.part_1
  JOIN found_posting_2 AS a2
    ON a2.id = c.part_2 AND a2.block = a1.block
  GROUP BY
    c.met
  HAVING
    SUM(BIT_COUNT((
      a1.bits & a2.bits
    ))) >= 20
) AS m
  ON m.met = c.met
WHERE
  c.given = 1 OR NOT m.support IS NULL;

-- posted-32-4096
-- found_posting_5: each row is a frequent itemset and a block of bits: one bit per transaction that holds it; itemsets with the support of a smaller one are left out
SELECT
  c.id AS id,
  a1.block AS block,
  (
    a1.bits & a2.bits
  ) AS bits
FROM (
  SELECT
    s1.id AS part_1,
    s2.id AS part_2,
    c.id AS id
  FROM found_5 AS c
  JOIN found_3 AS s1
    ON s1.item_1 = c.item_1 AND s1.item_2 = c.item_2 AND s1.item_3 = c.item_3
  JOIN found_2 AS s2
    ON s2.item_1 = c.item_4 AND s2.item_2 = c.item_5
  WHERE
    c.free = 1
) AS c
JOIN found_posting_3 AS a1
  ON a1.id = c.part_1
JOIN found_posting_2 AS a2
  ON a2.id = c.part_2 AND a2.block = a1.block
WHERE
  BIT_COUNT((
    a1.bits & a2.bits
  )) > 0;

-- counted_in_bits-32-126
-- found_5: each row is a frequent itemset of 5 items; its support is counted from bits, or given
SELECT
  ROW_NUMBER() OVER (ORDER BY c.item_1, c.item_2, c.item_3, c.item_4, c.item_5) AS id,
  COALESCE(m.support, c.bound) AS support,
  c.met AS met,
  CASE WHEN m.support < c.bound THEN 1 ELSE 0 END AS free,
  c.sub_1 AS sub_1,
  c.sub_2 AS sub_2,
  c.sub_3 AS sub_3,
  c.sub_4 AS sub_4,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3,
  c.item_4 AS item_4,
  c.item_5 AS item_5
FROM found_candidate_5 AS c
LEFT JOIN (
  SELECT
    c.met AS met,
    CAST(SUM(
      CAST(BIT_COUNT((
        a1.bits_1 & a2.bits_1
      )) AS INT) + CAST(BIT_COUNT((
        a1.bits_2 & a2.bits_2
      )) AS INT)
    ) AS BIGINT) AS support
  FROM found_part_5 AS c
  JOIN found_posting_3 AS a1
    ON a1.id = c.part_1
  JOIN found_posting_2 AS a2
    ON a2.id = c.part_2 AND a2.block = a1.block
  GROUP BY
    c.met
  HAVING
    SUM(
      CAST(BIT_COUNT((
        a1.bits_1 & a2.bits_1
      )) AS INT) + CAST(BIT_COUNT((
        a1.bits_2 & a2.bits_2
      )) AS INT)
    ) >= 20
) AS m
  ON m.met = c.met
WHERE
  c.given = 1 OR NOT m.support IS NULL;

-- posted-32-126
-- found_posting_5: each row is a frequent itemset and a block of bits: one bit per transaction that holds it; itemsets with the support of a smaller one are left out
SELECT
  c.id AS id,
  a1.block AS block,
  (
    a1.bits_1 & a2.bits_1
  ) AS bits_1,
  (
    a1.bits_2 & a2.bits_2
  ) AS bits_2
FROM (
  SELECT
    s1.id AS part_1,
    s2.id AS part_2,
    c.id AS id
  FROM found_5 AS c
  JOIN found_3 AS s1
    ON s1.item_1 = c.item_1 AND s1.item_2 = c.item_2 AND s1.item_3 = c.item_3
  JOIN found_2 AS s2
    ON s2.item_1 = c.item_4 AND s2.item_2 = c.item_5
  WHERE
    c.free = 1
) AS c
JOIN found_posting_3 AS a1
  ON a1.id = c.part_1
JOIN found_posting_2 AS a2
  ON a2.id = c.part_2 AND a2.block = a1.block
WHERE
  (
    a1.bits_1 & a2.bits_1
  ) <> 0 OR (
    a1.bits_2 & a2.bits_2
  ) <> 0;
