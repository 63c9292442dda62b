-- counted_items
-- found_1: each row is an item that is frequent by itself, with its support
SELECT
  CAST(o.item AS BIGINT) AS id,
  o.item AS item_1,
  COUNT(*) AS support
FROM occurrence AS o
GROUP BY
  o.item
HAVING
  COUNT(*) >= 20
ORDER BY
  id;

-- occurring
-- found_cohort_1: each row is an occurrence of a frequent item: other items are in no frequent itemset
SELECT
  f.id AS id,
  CAST(o.tid AS BIGINT) AS spot,
  o.item AS last
FROM occurrence AS o
JOIN found_1 AS f
  ON f.id = o.item
ORDER BY
  spot,
  last;

-- meetings
-- found_prospects_2: counts pairs of frequent items over all transactions: the size of the next level
SELECT
  CAST(COALESCE(SUM(held * (
    held - 1
  ) // 2), 0) AS BIGINT) AS meetings
FROM (
  SELECT
    spot,
    COUNT(*) AS held
  FROM found_cohort_1
  GROUP BY
    spot
) AS counted;

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

-- counted_in_lists-2
-- found_2: each row is a frequent itemset of 2 items; its support is counted from lists
SELECT
  ROW_NUMBER() OVER (ORDER BY joined.met) AS id,
  joined.support AS support,
  prefix.item_1 AS item_1,
  CAST(joined.met % 1000 AS INT) AS item_2
FROM (
  SELECT
    cohort.id * 1000 + added.last AS met,
    COUNT(*) AS support
  FROM found_cohort_1 AS cohort
  JOIN found_cohort_1 AS added
    ON added.spot = cohort.spot AND added.last > cohort.last
  GROUP BY
    cohort.id * 1000 + added.last
  HAVING
    COUNT(*) >= 20
) AS joined
JOIN found_1 AS prefix
  ON prefix.id = joined.met // 1000
ORDER BY
  id;

-- counted_in_lists-3
-- found_3: each row is a frequent itemset of 3 items; its support is counted from lists
SELECT
  ROW_NUMBER() OVER (ORDER BY joined.met) AS id,
  joined.support AS support,
  prefix.item_1 AS item_1,
  prefix.item_2 AS item_2,
  CAST(joined.met % 1000 AS INT) AS item_3
FROM (
  SELECT
    cohort.id * 1000 + added.last AS met,
    COUNT(*) AS support
  FROM found_cohort_2 AS cohort
  JOIN found_cohort_2 AS added
    ON added.spot = cohort.spot AND added.last > cohort.last
  GROUP BY
    cohort.id * 1000 + added.last
  HAVING
    COUNT(*) >= 20
) AS joined
JOIN found_2 AS prefix
  ON prefix.id = joined.met // 1000
ORDER BY
  id;

-- prospects-3
-- found_prospects_3: estimates the size of the next level, which decides between lists and bits
SELECT
  CAST(COALESCE(SUM(s.members * (
    s.members - 1
  ) // 2), 0) AS BIGINT) AS candidates,
  CAST(COALESCE(SUM(s.held), 0) AS BIGINT) AS held,
  CAST(COALESCE(SUM(s.held * (
    s.others // s.places
  )), 0) AS BIGINT) AS meetings
FROM (
  SELECT
    g.members AS members,
    g.held AS held,
    100 * g.held * (
      g.members - 1
    ) AS others,
    g.members * p.support AS places
  FROM (
    SELECT
      COUNT(*) AS members,
      CAST(SUM(f.support) AS BIGINT) AS held,
      f.item_1 AS item_1
    FROM found_2 AS f
    GROUP BY
      f.item_1
  ) AS g
  JOIN found_1 AS p
    ON g.item_1 = p.item_1
) AS s;

-- possible-3
-- found_possible_3: counts the itemsets of 3 items whose every subset is frequent, before they are made
SELECT
  COUNT(*) AS itemsets
FROM (
  SELECT
    prefix.item_1 AS item_1,
    prefix.item_2 AS item_2,
    sibling.item_2 AS item_3
  FROM found_2 AS prefix
  JOIN found_2 AS sibling
    ON prefix.item_1 = sibling.item_1 AND prefix.item_2 < sibling.item_2
  WHERE
    EXISTS(
      SELECT
        1
      FROM found_2 AS subset
      WHERE
        subset.item_1 = prefix.item_2 AND subset.item_2 = sibling.item_2
    )
) AS j;

-- none-3
-- found_3: has no row: every itemset of 3 items has a subset that is not frequent
SELECT
  CAST(0 AS BIGINT) AS id,
  CAST(0 AS BIGINT) AS support,
  CAST(0 AS INT) AS item_1,
  CAST(0 AS INT) AS item_2,
  CAST(0 AS INT) AS item_3
WHERE
  FALSE;

-- prospects-4
-- found_prospects_4: estimates the size of the next level, which decides between lists and bits
SELECT
  CAST(COALESCE(SUM(s.members * (
    s.members - 1
  ) // 2), 0) AS BIGINT) AS candidates,
  CAST(COALESCE(SUM(s.held), 0) AS BIGINT) AS held,
  CAST(COALESCE(SUM(s.held * (
    s.others // s.places
  )), 0) AS BIGINT) AS meetings
FROM (
  SELECT
    g.members AS members,
    g.held AS held,
    100 * g.held * (
      g.members - 1
    ) AS others,
    g.members * p.support AS places
  FROM (
    SELECT
      COUNT(*) AS members,
      CAST(SUM(f.support) AS BIGINT) AS held,
      f.item_1 AS item_1,
      f.item_2 AS item_2
    FROM found_3 AS f
    GROUP BY
      f.item_1,
      f.item_2
  ) AS g
  JOIN found_2 AS p
    ON g.item_1 = p.item_1 AND g.item_2 = p.item_2
) AS s;

-- possible-4
-- found_possible_4: counts the itemsets of 4 items whose every subset is frequent, before they are made
SELECT
  COUNT(*) AS itemsets
FROM (
  SELECT
    prefix.item_1 AS item_1,
    prefix.item_2 AS item_2,
    prefix.item_3 AS item_3,
    sibling.item_3 AS item_4
  FROM found_3 AS prefix
  JOIN found_3 AS sibling
    ON prefix.item_1 = sibling.item_1
    AND prefix.item_2 = sibling.item_2
    AND prefix.item_3 < sibling.item_3
  WHERE
    EXISTS(
      SELECT
        1
      FROM found_3 AS subset
      WHERE
        subset.item_1 = prefix.item_2
        AND subset.item_2 = prefix.item_3
        AND subset.item_3 = sibling.item_3
    )
    AND EXISTS(
      SELECT
        1
      FROM found_3 AS subset
      WHERE
        subset.item_1 = prefix.item_1
        AND subset.item_2 = prefix.item_3
        AND subset.item_3 = sibling.item_3
    )
) AS j;

-- none-4
-- found_4: has no row: every itemset of 4 items has a subset that is not frequent
SELECT
  CAST(0 AS BIGINT) AS id,
  CAST(0 AS BIGINT) AS support,
  CAST(0 AS INT) AS item_1,
  CAST(0 AS INT) AS item_2,
  CAST(0 AS INT) AS item_3,
  CAST(0 AS INT) AS item_4
WHERE
  FALSE;

-- cohorts-2
-- found_cohort_2: each row is a frequent itemset and a transaction that holds it
SELECT
  frequent.id AS id,
  cohort.id * 5000 + (
    cohort.spot % 5000
  ) AS spot,
  added.last AS last
FROM found_cohort_1 AS cohort
JOIN found_cohort_1 AS added
  ON added.spot = cohort.spot AND added.last > cohort.last
JOIN (
  SELECT
    frequent.id AS id,
    prefix.id * 1000 + frequent.item_2 AS met
  FROM found_2 AS frequent
  JOIN found_1 AS prefix
    ON prefix.item_1 = frequent.item_1
) AS frequent
  ON frequent.met = cohort.id * 1000 + added.last;

-- cohorts-3
-- found_cohort_3: each row is a frequent itemset and a transaction that holds it
SELECT
  frequent.id AS id,
  cohort.id * 5000 + (
    cohort.spot % 5000
  ) AS spot,
  added.last AS last
FROM found_cohort_2 AS cohort
JOIN found_cohort_2 AS added
  ON added.spot = cohort.spot AND added.last > cohort.last
JOIN (
  SELECT
    frequent.id AS id,
    prefix.id * 1000 + frequent.item_3 AS met
  FROM found_3 AS frequent
  JOIN found_2 AS prefix
    ON prefix.item_1 = frequent.item_1 AND prefix.item_2 = frequent.item_2
) AS frequent
  ON frequent.met = cohort.id * 1000 + added.last;

-- candidates-11
-- found_candidate_2: each row is an itemset of 2 items whose every subset is frequent
SELECT
  CAST(c.item_1 AS BIGINT) AS part_1,
  CAST(c.item_2 AS BIGINT) AS part_2,
  ROW_NUMBER() OVER (ORDER BY c.item_1, c.item_2) AS id,
  c.item_1 AS item_1,
  c.item_2 AS item_2
FROM (
  SELECT
    prefix.item_1 AS item_1,
    sibling.item_1 AS item_2
  FROM found_1 AS prefix
  JOIN found_1 AS sibling
    ON prefix.item_1 < sibling.item_1
) AS c
ORDER BY
  id;

-- counted_in_bits-11
-- found_2: each row is a frequent itemset of 2 items; its support is counted from bits
SELECT
  c.id AS id,
  m.support AS support,
  c.item_1 AS item_1,
  c.item_2 AS item_2
FROM (
  SELECT
    c.id AS id,
    CAST(SUM(BIT_COUNT(a1.bits & a2.bits)) AS BIGINT) AS support
  FROM found_candidate_2 AS c
  JOIN found_posting_1 AS a1
    ON a1.id = c.part_1
  JOIN found_posting_1 AS a2
    ON a2.id = c.part_2 AND a2.block = a1.block
  GROUP BY
    c.id
  HAVING
    SUM(BIT_COUNT(a1.bits & a2.bits)) >= 20
) AS m
JOIN found_candidate_2 AS c
  ON c.id = m.id
ORDER BY
  id;

-- posted-11
-- found_posting_2: each row is a frequent itemset and a block of bits: one bit per transaction that holds it
SELECT
  c.id AS id,
  a1.block AS block,
  a1.bits & a2.bits AS bits
FROM (
  SELECT
    CAST(c.item_1 AS BIGINT) AS part_1,
    CAST(c.item_2 AS BIGINT) AS part_2,
    c.id AS id
  FROM found_2 AS c
) AS c
JOIN found_posting_1 AS a1
  ON a1.id = c.part_1
JOIN found_posting_1 AS a2
  ON a2.id = c.part_2 AND a2.block = a1.block
WHERE
  BIT_COUNT(a1.bits & a2.bits) > 0;

-- candidates-21
-- found_candidate_3: each row is an itemset of 3 items whose every subset is frequent
SELECT
  s1.id AS part_1,
  CAST(c.item_3 AS BIGINT) AS part_2,
  ROW_NUMBER() OVER (ORDER BY c.item_1, c.item_2, c.item_3) AS id,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3
FROM (
  SELECT
    prefix.item_1 AS item_1,
    prefix.item_2 AS item_2,
    sibling.item_2 AS item_3
  FROM found_2 AS prefix
  JOIN found_2 AS sibling
    ON prefix.item_1 = sibling.item_1 AND prefix.item_2 < sibling.item_2
  WHERE
    EXISTS(
      SELECT
        1
      FROM found_2 AS subset
      WHERE
        subset.item_1 = prefix.item_2 AND subset.item_2 = sibling.item_2
    )
) AS c
JOIN found_2 AS s1
  ON s1.item_1 = c.item_1 AND s1.item_2 = c.item_2
ORDER BY
  id;

-- counted_in_bits-21
-- found_3: each row is a frequent itemset of 3 items; its support is counted from bits
SELECT
  c.id AS id,
  m.support AS support,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3
FROM (
  SELECT
    c.id AS id,
    CAST(SUM(BIT_COUNT(a1.bits & a2.bits)) AS BIGINT) AS support
  FROM found_candidate_3 AS c
  JOIN found_posting_2 AS a1
    ON a1.id = c.part_1
  JOIN found_posting_1 AS a2
    ON a2.id = c.part_2 AND a2.block = a1.block
  GROUP BY
    c.id
  HAVING
    SUM(BIT_COUNT(a1.bits & a2.bits)) >= 20
) AS m
JOIN found_candidate_3 AS c
  ON c.id = m.id
ORDER BY
  id;

-- posted-21
-- found_posting_3: each row is a frequent itemset and a block of bits: one bit per transaction that holds it
SELECT
  c.id AS id,
  a1.block AS block,
  a1.bits & a2.bits AS bits
FROM (
  SELECT
    s1.id AS part_1,
    CAST(c.item_3 AS BIGINT) AS part_2,
    c.id AS id
  FROM found_3 AS c
  JOIN found_2 AS s1
    ON s1.item_1 = c.item_1 AND s1.item_2 = c.item_2
) AS c
JOIN found_posting_2 AS a1
  ON a1.id = c.part_1
JOIN found_posting_1 AS a2
  ON a2.id = c.part_2 AND a2.block = a1.block
WHERE
  BIT_COUNT(a1.bits & a2.bits) > 0;

-- candidates-111
-- found_candidate_3: each row is an itemset of 3 items whose every subset is frequent
SELECT
  CAST(c.item_1 AS BIGINT) AS part_1,
  CAST(c.item_2 AS BIGINT) AS part_2,
  CAST(c.item_3 AS BIGINT) AS part_3,
  ROW_NUMBER() OVER (ORDER BY c.item_1, c.item_2, c.item_3) AS id,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3
FROM (
  SELECT
    prefix.item_1 AS item_1,
    prefix.item_2 AS item_2,
    sibling.item_2 AS item_3
  FROM found_2 AS prefix
  JOIN found_2 AS sibling
    ON prefix.item_1 = sibling.item_1 AND prefix.item_2 < sibling.item_2
  WHERE
    EXISTS(
      SELECT
        1
      FROM found_2 AS subset
      WHERE
        subset.item_1 = prefix.item_2 AND subset.item_2 = sibling.item_2
    )
) AS c
ORDER BY
  id;

-- counted_in_bits-111
-- found_3: each row is a frequent itemset of 3 items; its support is counted from bits
SELECT
  c.id AS id,
  m.support AS support,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3
FROM (
  SELECT
    c.id AS id,
    CAST(SUM(BIT_COUNT(a1.bits & a2.bits & a3.bits)) AS BIGINT) AS support
  FROM found_candidate_3 AS c
  JOIN found_posting_1 AS a1
    ON a1.id = c.part_1
  JOIN found_posting_1 AS a2
    ON a2.id = c.part_2 AND a2.block = a1.block
  JOIN found_posting_1 AS a3
    ON a3.id = c.part_3 AND a3.block = a1.block
  GROUP BY
    c.id
  HAVING
    SUM(BIT_COUNT(a1.bits & a2.bits & a3.bits)) >= 20
) AS m
JOIN found_candidate_3 AS c
  ON c.id = m.id
ORDER BY
  id;

-- posted-111
-- found_posting_3: each row is a frequent itemset and a block of bits: one bit per transaction that holds it
SELECT
  c.id AS id,
  a1.block AS block,
  a1.bits & a2.bits & a3.bits AS bits
FROM (
  SELECT
    CAST(c.item_1 AS BIGINT) AS part_1,
    CAST(c.item_2 AS BIGINT) AS part_2,
    CAST(c.item_3 AS BIGINT) AS part_3,
    c.id AS id
  FROM found_3 AS c
) AS c
JOIN found_posting_1 AS a1
  ON a1.id = c.part_1
JOIN found_posting_1 AS a2
  ON a2.id = c.part_2 AND a2.block = a1.block
JOIN found_posting_1 AS a3
  ON a3.id = c.part_3 AND a3.block = a1.block
WHERE
  BIT_COUNT(a1.bits & a2.bits & a3.bits) > 0;

-- candidates-32
-- found_candidate_5: each row is an itemset of 5 items whose every subset is frequent
SELECT
  s1.id AS part_1,
  s2.id AS part_2,
  ROW_NUMBER() OVER (ORDER BY c.item_1, c.item_2, c.item_3, c.item_4, c.item_5) AS id,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3,
  c.item_4 AS item_4,
  c.item_5 AS item_5
FROM (
  SELECT
    prefix.item_1 AS item_1,
    prefix.item_2 AS item_2,
    prefix.item_3 AS item_3,
    prefix.item_4 AS item_4,
    sibling.item_4 AS item_5
  FROM found_4 AS prefix
  JOIN found_4 AS sibling
    ON prefix.item_1 = sibling.item_1
    AND prefix.item_2 = sibling.item_2
    AND prefix.item_3 = sibling.item_3
    AND prefix.item_4 < sibling.item_4
  WHERE
    EXISTS(
      SELECT
        1
      FROM found_4 AS subset
      WHERE
        subset.item_1 = prefix.item_2
        AND subset.item_2 = prefix.item_3
        AND subset.item_3 = prefix.item_4
        AND subset.item_4 = sibling.item_4
    )
    AND EXISTS(
      SELECT
        1
      FROM found_4 AS subset
      WHERE
        subset.item_1 = prefix.item_1
        AND subset.item_2 = prefix.item_3
        AND subset.item_3 = prefix.item_4
        AND subset.item_4 = sibling.item_4
    )
    AND EXISTS(
      SELECT
        1
      FROM found_4 AS subset
      WHERE
        subset.item_1 = prefix.item_1
        AND subset.item_2 = prefix.item_2
        AND subset.item_3 = prefix.item_4
        AND subset.item_4 = sibling.item_4
    )
) AS c
JOIN found_3 AS s1
  ON s1.item_1 = c.item_1 AND s1.item_2 = c.item_2 AND s1.item_3 = c.item_3
JOIN found_2 AS s2
  ON s2.item_1 = c.item_4 AND s2.item_2 = c.item_5
ORDER BY
  id;

-- counted_in_bits-32
-- found_5: each row is a frequent itemset of 5 items; its support is counted from bits
SELECT
  c.id AS id,
  m.support AS support,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3,
  c.item_4 AS item_4,
  c.item_5 AS item_5
FROM (
  SELECT
    c.id AS id,
    CAST(SUM(BIT_COUNT(a1.bits & a2.bits)) AS BIGINT) AS support
  FROM found_candidate_5 AS c
  JOIN found_posting_3 AS a1
    ON a1.id = c.part_1
  JOIN found_posting_2 AS a2
    ON a2.id = c.part_2 AND a2.block = a1.block
  GROUP BY
    c.id
  HAVING
    SUM(BIT_COUNT(a1.bits & a2.bits)) >= 20
) AS m
JOIN found_candidate_5 AS c
  ON c.id = m.id
ORDER BY
  id;

-- posted-32
-- found_posting_5: each row is a frequent itemset and a block of bits: one bit per transaction that holds it
SELECT
  c.id AS id,
  a1.block AS block,
  a1.bits & a2.bits AS bits
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
) AS c
JOIN found_posting_3 AS a1
  ON a1.id = c.part_1
JOIN found_posting_2 AS a2
  ON a2.id = c.part_2 AND a2.block = a1.block
WHERE
  BIT_COUNT(a1.bits & a2.bits) > 0;
