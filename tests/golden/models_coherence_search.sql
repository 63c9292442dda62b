-- unbearable
-- unbearable: lists private items in more than a share h of all transactions: no release could hold
SELECT
  CAST(i.name AS TEXT) AS name,
  i.support AS support,
  t.transactions AS transactions
FROM item AS i
JOIN private_item AS r
  ON r.item = i.item
CROSS JOIN (
  SELECT
    COUNT(*) AS transactions
  FROM basket
) AS t
WHERE
  i.support * 5 > 2 * t.transactions
ORDER BY
  support DESC,
  name;

-- counted_items
-- counted_1: each row is a public item with its support: an attacker may know one item
SELECT
  CAST(i.item AS BIGINT) AS id,
  i.item AS item_1,
  i.support AS support
FROM item AS i
JOIN public_item AS r
  ON r.item = i.item
ORDER BY
  id;

-- counted_pairs
-- counted_2: each row is a pair of public items that some transaction holds, with its support
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY pair) AS BIGINT) AS id,
  pair // 1000 AS parent,
  pair % 1000 AS sibling,
  CAST(pair // 1000 AS INT) AS item_1,
  CAST(pair % 1000 AS INT) AS item_2,
  support
FROM (
  SELECT
    CAST(a.item AS BIGINT) * 1000 + b.item AS pair,
    COUNT(*) AS support
  FROM extension AS a
  JOIN extension AS b
    ON b.tid = a.tid AND b.item > a.item
  GROUP BY
    CAST(a.item AS BIGINT) * 1000 + b.item
) AS paired;

-- candidates-2
-- candidate_2: each row is an itemset of 2 public items whose every subset is extendible: no mole
SELECT
  ROW_NUMBER() OVER (ORDER BY p.item_1, q.item_1) AS id,
  p.id AS parent,
  q.id AS sibling,
  p.item_1 AS item_1,
  q.item_1 AS item_2
FROM judged_1 AS p
JOIN judged_1 AS q
  ON p.item_1 < q.item_1
WHERE
  p.verdict = 0 AND q.verdict = 0
ORDER BY
  item_1,
  item_2;

-- intersections-2
-- posting_2: each row is an itemset and a block of bits: one bit per transaction of its cohort
SELECT
  c.id AS id,
  a.block AS block,
  a.bits & b.bits AS bits
FROM candidate_2 AS c
JOIN posting_1 AS a
  ON a.id = c.parent
JOIN posting_1 AS b
  ON b.id = c.item_2 AND b.block = a.block;

-- cohorts-2
-- cohort_2: each row is an itemset and a transaction of its cohort: all that hold it
SELECT
  c.id AS id,
  h.tid AS tid
FROM (
  SELECT
    CAST(item AS BIGINT) AS id,
    tid
  FROM extension
) AS h
JOIN extension AS x
  ON x.tid = h.tid
JOIN counted_2 AS c
  ON c.parent = h.id AND c.item_2 = x.item
WHERE
  c.support >= 20
ORDER BY
  id;

-- holders-2
SELECT
  c.id AS id,
  h.tid AS tid
FROM (
  SELECT
    CAST(item AS BIGINT) AS id,
    tid
  FROM extension
) AS h
JOIN extension AS x
  ON x.tid = h.tid
JOIN counted_2 AS c
  ON c.parent = h.id AND c.item_2 = x.item
WHERE
  c.support >= 20;

-- links_in_bits-2
-- link_2: each row is an itemset and a private item with its hits: exact if they could be a breach
SELECT
  b.id AS id,
  b.item AS item,
  COALESCE(e.hits, b.hits) AS hits
FROM bound_2 AS b
LEFT JOIN exact_2 AS e
  ON e.id = b.id AND e.item = b.item;

-- bounds-2
-- bound_2: each row is an itemset and a private item, with a bound of hits from two of its subsets
SELECT
  c.id AS id,
  c.support AS support,
  c.parent AS parent,
  c.item_2 AS last,
  a.item AS item,
  LEAST(a.hits, b.hits) AS hits
FROM counted_2 AS c
JOIN link_1 AS a
  ON a.id = c.parent
JOIN link_1 AS b
  ON b.id = c.sibling AND b.item = a.item
WHERE
  c.support >= 20 AND LEAST(a.hits, b.hits) * 5 > 2 * 20;

-- counted_in_bits-2
-- counted_2: each row is an itemset of 2 public items with its support, counted from bits
SELECT
  c.id AS id,
  c.parent AS parent,
  c.sibling AS sibling,
  n.support AS support,
  c.item_1 AS item_1,
  c.item_2 AS item_2
FROM candidate_2 AS c
JOIN (
  SELECT
    id,
    CAST(SUM(BIT_COUNT(bits)) AS BIGINT) AS support
  FROM posting_2
  GROUP BY
    id
  HAVING
    SUM(BIT_COUNT(bits)) > 0
) AS n
  ON n.id = c.id
ORDER BY
  id;

-- exact_hits-2
-- exact_2: each row is an itemset and a private item whose bound could be a breach, with exact hits
SELECT
  b.id AS id,
  b.item AS item,
  CAST(SUM(BIT_COUNT(a.bits & s.bits)) AS BIGINT) AS hits
FROM bound_2 AS b
JOIN posting_2 AS a
  ON a.id = b.id
JOIN secret_posting AS s
  ON s.id = b.item AND s.block = a.block
WHERE
  b.hits * 5 > 2 * b.support
GROUP BY
  b.id,
  b.item;

-- bounds-2-last
-- bound_2: each row is an itemset and a private item, with a bound of hits from two of its subsets
SELECT
  c.id AS id,
  c.support AS support,
  c.parent AS parent,
  c.item_2 AS last,
  a.item AS item,
  LEAST(a.hits, b.hits) AS hits
FROM counted_2 AS c
JOIN link_1 AS a
  ON a.id = c.parent
JOIN link_1 AS b
  ON b.id = c.sibling AND b.item = a.item
WHERE
  c.support >= 20 AND LEAST(a.hits, b.hits) * 5 > 2 * c.support;

-- counted_in_bits-2-last
-- counted_2: each row is an itemset of 2 public items with its support, counted from bits
SELECT
  c.id AS id,
  c.parent AS parent,
  c.sibling AS sibling,
  n.support AS support,
  c.item_1 AS item_1,
  c.item_2 AS item_2
FROM candidate_2 AS c
JOIN (
  SELECT
    c.id AS id,
    CAST(SUM(BIT_COUNT(a.bits & b.bits)) AS BIGINT) AS support
  FROM candidate_2 AS c
  JOIN posting_1 AS a
    ON a.id = c.parent
  JOIN posting_1 AS b
    ON b.id = c.item_2 AND b.block = a.block
  GROUP BY
    c.id
  HAVING
    SUM(BIT_COUNT(a.bits & b.bits)) > 0
) AS n
  ON n.id = c.id
ORDER BY
  id;

-- exact_hits-2-last
-- exact_2: each row is an itemset and a private item whose bound could be a breach, with exact hits
SELECT
  b.id AS id,
  b.item AS item,
  CAST(SUM(BIT_COUNT(a.bits & x.bits & s.bits)) AS BIGINT) AS hits
FROM bound_2 AS b
JOIN posting_1 AS a
  ON a.id = b.parent
JOIN posting_1 AS x
  ON x.id = b.last AND x.block = a.block
JOIN secret_posting AS s
  ON s.id = b.item AND s.block = a.block
WHERE
  b.hits * 5 > 2 * b.support
GROUP BY
  b.id,
  b.item;

-- candidates-3
-- candidate_3: each row is an itemset of 3 public items whose every subset is extendible: no mole
SELECT
  ROW_NUMBER() OVER (ORDER BY p.item_1, p.item_2, q.item_2) AS id,
  p.id AS parent,
  q.id AS sibling,
  p.item_1 AS item_1,
  p.item_2 AS item_2,
  q.item_2 AS item_3
FROM judged_2 AS p
JOIN judged_2 AS q
  ON p.item_1 = q.item_1 AND p.item_2 < q.item_2
WHERE
  p.verdict = 0
  AND q.verdict = 0
  AND EXISTS(
    SELECT
      1
    FROM judged_2 AS s
    WHERE
      s.item_1 = p.item_2 AND s.item_2 = q.item_2 AND s.verdict = 0
  )
ORDER BY
  item_1,
  item_2,
  item_3;

-- intersections-3
-- posting_3: each row is an itemset and a block of bits: one bit per transaction of its cohort
SELECT
  c.id AS id,
  a.block AS block,
  a.bits & b.bits AS bits
FROM candidate_3 AS c
JOIN posting_2 AS a
  ON a.id = c.parent
JOIN posting_1 AS b
  ON b.id = c.item_3 AND b.block = a.block;

-- cohorts-3
-- cohort_3: each row is an itemset and a transaction of its cohort: all that hold it
SELECT
  c.id AS id,
  h.tid AS tid
FROM cohort_2 AS h
JOIN extension AS x
  ON x.tid = h.tid
JOIN counted_3 AS c
  ON c.parent = h.id AND c.item_3 = x.item
WHERE
  c.support >= 20;

-- holders-3
SELECT
  c.id AS id,
  h.tid AS tid
FROM cohort_2 AS h
JOIN extension AS x
  ON x.tid = h.tid
JOIN counted_3 AS c
  ON c.parent = h.id AND c.item_3 = x.item
WHERE
  c.support >= 20;

-- links_in_bits-3
-- link_3: each row is an itemset and a private item with its hits: exact if they could be a breach
SELECT
  b.id AS id,
  b.item AS item,
  COALESCE(e.hits, b.hits) AS hits
FROM bound_3 AS b
LEFT JOIN exact_3 AS e
  ON e.id = b.id AND e.item = b.item;

-- bounds-3
-- bound_3: each row is an itemset and a private item, with a bound of hits from two of its subsets
SELECT
  c.id AS id,
  c.support AS support,
  c.parent AS parent,
  c.item_3 AS last,
  a.item AS item,
  LEAST(a.hits, b.hits) AS hits
FROM counted_3 AS c
JOIN link_2 AS a
  ON a.id = c.parent
JOIN link_2 AS b
  ON b.id = c.sibling AND b.item = a.item
WHERE
  c.support >= 20 AND LEAST(a.hits, b.hits) * 5 > 2 * 20;

-- counted_in_bits-3
-- counted_3: each row is an itemset of 3 public items with its support, counted from bits
SELECT
  c.id AS id,
  c.parent AS parent,
  c.sibling AS sibling,
  n.support AS support,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3
FROM candidate_3 AS c
JOIN (
  SELECT
    id,
    CAST(SUM(BIT_COUNT(bits)) AS BIGINT) AS support
  FROM posting_3
  GROUP BY
    id
  HAVING
    SUM(BIT_COUNT(bits)) > 0
) AS n
  ON n.id = c.id
ORDER BY
  id;

-- exact_hits-3
-- exact_3: each row is an itemset and a private item whose bound could be a breach, with exact hits
SELECT
  b.id AS id,
  b.item AS item,
  CAST(SUM(BIT_COUNT(a.bits & s.bits)) AS BIGINT) AS hits
FROM bound_3 AS b
JOIN posting_3 AS a
  ON a.id = b.id
JOIN secret_posting AS s
  ON s.id = b.item AND s.block = a.block
WHERE
  b.hits * 5 > 2 * b.support
GROUP BY
  b.id,
  b.item;

-- bounds-3-last
-- bound_3: each row is an itemset and a private item, with a bound of hits from two of its subsets
SELECT
  c.id AS id,
  c.support AS support,
  c.parent AS parent,
  c.item_3 AS last,
  a.item AS item,
  LEAST(a.hits, b.hits) AS hits
FROM counted_3 AS c
JOIN link_2 AS a
  ON a.id = c.parent
JOIN link_2 AS b
  ON b.id = c.sibling AND b.item = a.item
WHERE
  c.support >= 20 AND LEAST(a.hits, b.hits) * 5 > 2 * c.support;

-- counted_in_bits-3-last
-- counted_3: each row is an itemset of 3 public items with its support, counted from bits
SELECT
  c.id AS id,
  c.parent AS parent,
  c.sibling AS sibling,
  n.support AS support,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3
FROM candidate_3 AS c
JOIN (
  SELECT
    c.id AS id,
    CAST(SUM(BIT_COUNT(a.bits & b.bits)) AS BIGINT) AS support
  FROM candidate_3 AS c
  JOIN posting_2 AS a
    ON a.id = c.parent
  JOIN posting_1 AS b
    ON b.id = c.item_3 AND b.block = a.block
  GROUP BY
    c.id
  HAVING
    SUM(BIT_COUNT(a.bits & b.bits)) > 0
) AS n
  ON n.id = c.id
ORDER BY
  id;

-- exact_hits-3-last
-- exact_3: each row is an itemset and a private item whose bound could be a breach, with exact hits
SELECT
  b.id AS id,
  b.item AS item,
  CAST(SUM(BIT_COUNT(a.bits & x.bits & s.bits)) AS BIGINT) AS hits
FROM bound_3 AS b
JOIN posting_2 AS a
  ON a.id = b.parent
JOIN posting_1 AS x
  ON x.id = b.last AND x.block = a.block
JOIN secret_posting AS s
  ON s.id = b.item AND s.block = a.block
WHERE
  b.hits * 5 > 2 * b.support
GROUP BY
  b.id,
  b.item;

-- exact_hits-2-every
-- exact_2: each row is an itemset and a private item whose bound could be a breach, with exact hits
SELECT
  b.id AS id,
  b.item AS item,
  CAST(SUM(BIT_COUNT(a.bits & s.bits)) AS BIGINT) AS hits
FROM bound_2 AS b
JOIN posting_2 AS a
  ON a.id = b.id
JOIN secret_posting AS s
  ON s.id = b.item AND s.block = a.block
GROUP BY
  b.id,
  b.item;

-- counted_in_lists-3
-- counted_3: each row is an itemset of 3 public items with its support, counted from lists
SELECT
  ROW_NUMBER() OVER (ORDER BY m.pair) AS id,
  p.id AS parent,
  q.id AS sibling,
  m.support AS support,
  p.item_1 AS item_1,
  p.item_2 AS item_2,
  q.item_2 AS item_3
FROM (
  SELECT
    h.id * 1000 + x.item AS pair,
    COUNT(*) AS support
  FROM cohort_2 AS h
  JOIN judged_2 AS j
    ON j.id = h.id
  JOIN extension AS x
    ON x.tid = h.tid AND x.item > j.item_2
  WHERE
    j.verdict = 0
  GROUP BY
    h.id * 1000 + x.item
) AS m
JOIN judged_2 AS p
  ON p.id = m.pair // 1000
JOIN judged_2 AS q
  ON q.item_1 = p.item_1 AND q.item_2 = CAST(m.pair % 1000 AS INT)
WHERE
  q.verdict = 0
  AND EXISTS(
    SELECT
      1
    FROM judged_2 AS s
    WHERE
      s.item_1 = p.item_2 AND s.item_2 = q.item_2 AND s.verdict = 0
  )
ORDER BY
  id;

-- links_in_lists-2
-- link_2: each row is an itemset and a private item that part of its cohort holds, with its hits
SELECT
  pair // 1000 AS id,
  CAST(pair % 1000 AS INT) AS item,
  hits
FROM (
  SELECT
    h.id * 1000 + s.item AS pair,
    COUNT(*) AS hits
  FROM cohort_2 AS h
  JOIN secret AS s
    ON s.tid = h.tid
  GROUP BY
    h.id * 1000 + s.item
  HAVING
    COUNT(*) * 5 > 2 * 20
) AS met;

-- judged-2
-- judged_2: each row is an itemset with its verdict: 0 extendible; a mole is 1 rare or 2 revealing
SELECT
  c.id AS id,
  c.support AS support,
  CASE WHEN c.support < 20 THEN 1 WHEN r.id IS NULL THEN 0 ELSE 2 END AS verdict,
  c.item_1 AS item_1,
  c.item_2 AS item_2
FROM counted_2 AS c
LEFT JOIN (
  SELECT DISTINCT
    c.id AS id
  FROM counted_2 AS c
  JOIN link_2 AS l
    ON l.id = c.id
  WHERE
    l.hits * 5 > 2 * c.support
) AS r
  ON r.id = c.id;

-- moles-2
-- moles_2: lists the minimal moles of size 2: one item of each must be suppressed
SELECT
  j.item_1 AS item_1,
  j.item_2 AS item_2,
  j.verdict AS verdict
FROM judged_2 AS j
WHERE
  j.verdict > 0
ORDER BY
  j.item_1,
  j.item_2;

-- prospects-2
-- prospects_2: bounds the number of itemsets of 2 items: the run refuses a relation too large
SELECT
  CAST(COALESCE(SUM(g.n * (
    g.n - 1
  ) // 2), 0) AS BIGINT) AS candidates
FROM (
  SELECT
    COUNT(*) AS n
  FROM judged_1 AS r
  WHERE
    r.verdict = 0
) AS g;

-- links_within_bounds-2
-- link_2: each row is an itemset and a private item that part of its cohort holds, with its hits
SELECT
  pair // 1000 AS id,
  CAST(pair % 1000 AS INT) AS item,
  hits
FROM (
  SELECT
    b.id * 1000 + b.item AS pair,
    COUNT(*) AS hits
  FROM cohort_2 AS h
  JOIN bound_2 AS b
    ON b.id = h.id
  JOIN secret AS s
    ON s.tid = h.tid AND s.item = b.item
  GROUP BY
    b.id * 1000 + b.item
) AS met;

-- links_in_lists-3
-- link_3: each row is an itemset and a private item that part of its cohort holds, with its hits
SELECT
  pair // 1000 AS id,
  CAST(pair % 1000 AS INT) AS item,
  hits
FROM (
  SELECT
    h.id * 1000 + s.item AS pair,
    COUNT(*) AS hits
  FROM cohort_3 AS h
  JOIN secret AS s
    ON s.tid = h.tid
  GROUP BY
    h.id * 1000 + s.item
  HAVING
    COUNT(*) * 5 > 2 * 20
) AS met;

-- judged-3
-- judged_3: each row is an itemset with its verdict: 0 extendible; a mole is 1 rare or 2 revealing
SELECT
  c.id AS id,
  c.support AS support,
  CASE WHEN c.support < 20 THEN 1 WHEN r.id IS NULL THEN 0 ELSE 2 END AS verdict,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3
FROM counted_3 AS c
LEFT JOIN (
  SELECT DISTINCT
    c.id AS id
  FROM counted_3 AS c
  JOIN link_3 AS l
    ON l.id = c.id
  WHERE
    l.hits * 5 > 2 * c.support
) AS r
  ON r.id = c.id;

-- moles-3
-- moles_3: lists the minimal moles of size 3: one item of each must be suppressed
SELECT
  j.item_1 AS item_1,
  j.item_2 AS item_2,
  j.item_3 AS item_3,
  j.verdict AS verdict
FROM judged_3 AS j
WHERE
  j.verdict > 0
ORDER BY
  j.item_1,
  j.item_2,
  j.item_3;

-- prospects-3
-- prospects_3: bounds the number of itemsets of 3 items: the run refuses a relation too large
SELECT
  CAST(COALESCE(SUM(g.n * (
    g.n - 1
  ) // 2), 0) AS BIGINT) AS candidates
FROM (
  SELECT
    COUNT(*) AS n
  FROM judged_2 AS r
  WHERE
    r.verdict = 0
  GROUP BY
    r.item_1
) AS g;

-- links_within_bounds-3
-- link_3: each row is an itemset and a private item that part of its cohort holds, with its hits
SELECT
  pair // 1000 AS id,
  CAST(pair % 1000 AS INT) AS item,
  hits
FROM (
  SELECT
    b.id * 1000 + b.item AS pair,
    COUNT(*) AS hits
  FROM cohort_3 AS h
  JOIN bound_3 AS b
    ON b.id = h.id
  JOIN secret AS s
    ON s.tid = h.tid AND s.item = b.item
  GROUP BY
    b.id * 1000 + b.item
) AS met;

-- found-2
-- found_2: counts the minimal moles of 2 items, which setveil must read into memory
SELECT
  COUNT(*) AS moles
FROM judged_2 AS j
WHERE
  j.verdict > 0;

-- judged-2-rare_only
-- judged_2: each row is an itemset with its verdict: 0 extendible; a mole is 1 rare or 2 revealing
SELECT
  c.id AS id,
  c.support AS support,
  CASE WHEN c.support < 20 THEN 1 ELSE 0 END AS verdict,
  c.item_1 AS item_1,
  c.item_2 AS item_2
FROM counted_2 AS c;
