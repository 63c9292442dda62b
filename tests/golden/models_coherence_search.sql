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

-- unbearable-persons
-- unbearable: lists private items in more than a share h of all transactions: no release could hold
SELECT
  CAST(i.name AS TEXT) AS name,
  i.support AS support,
  t.transactions AS transactions,
  i.persons AS persons
FROM item AS i
JOIN private_item AS r
  ON r.item = i.item
CROSS JOIN (
  SELECT
    COUNT(*) AS transactions
  FROM basket
) AS t
WHERE
  i.support * 5 > 2 * t.transactions OR i.persons * 5 > 200
ORDER BY
  support DESC,
  name;

-- judged-2-persons
-- judged_2: each row is an itemset with its verdict: 0 extendible; a mole is 1 rare or 2 revealing
SELECT
  counted.id AS id,
  counted.support AS support,
  CASE
    WHEN counted.support < 20 OR owned.persons < 20
    THEN 1
    WHEN revealed.id IS NULL
    THEN 0
    ELSE 2
  END AS verdict,
  counted.item_1 AS item_1,
  counted.item_2 AS item_2
FROM counted_2 AS counted
LEFT JOIN persons_2 AS owned
  ON owned.id = counted.id
LEFT JOIN (
  SELECT DISTINCT
    r.id AS id
  FROM (
    SELECT DISTINCT
      counted.id AS id
    FROM counted_2 AS counted
    JOIN link_2 AS link
      ON link.id = counted.id
    WHERE
      link.hits * 5 > 2 * counted.support
    UNION ALL
    SELECT
      reached.id AS id
    FROM reached_2 AS reached
    JOIN persons_2 AS owned
      ON owned.id = reached.id
    WHERE
      reached.persons * 5 > 2 * owned.persons
  ) AS r
) AS revealed
  ON revealed.id = counted.id;

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

-- counted_pairs-last
-- counted_2: each row is a pair of public items that some transaction holds, with its support
SELECT
  pair AS id,
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
  ROW_NUMBER() OVER (ORDER BY prefix.item_1, sibling.item_1) AS id,
  prefix.id AS parent,
  sibling.id AS sibling,
  prefix.item_1 AS item_1,
  sibling.item_1 AS item_2
FROM judged_1 AS prefix
JOIN judged_1 AS sibling
  ON prefix.item_1 < sibling.item_1
WHERE
  prefix.verdict = 0 AND sibling.verdict = 0
ORDER BY
  item_1,
  item_2;

-- intersections-2
-- posting_2: each row is an itemset and a block of bits: one bit per transaction of its cohort
SELECT
  candidate.id AS id,
  prefix.block AS block,
  (
    prefix.bits & added.bits
  ) AS bits
FROM candidate_2 AS candidate
JOIN posting_1 AS prefix
  ON prefix.id = candidate.parent
JOIN posting_1 AS added
  ON added.id = candidate.item_2 AND added.block = prefix.block
WHERE
  BIT_COUNT((
    prefix.bits & added.bits
  )) > 0;

-- intersections-2-words
-- posting_2: each row is an itemset and a block of bits: one bit per transaction of its cohort
SELECT
  candidate.id AS id,
  prefix.block AS block,
  (
    prefix.bits_1 & added.bits_1
  ) AS bits_1,
  (
    prefix.bits_2 & added.bits_2
  ) AS bits_2
FROM candidate_2 AS candidate
JOIN posting_1 AS prefix
  ON prefix.id = candidate.parent
JOIN posting_1 AS added
  ON added.id * 2654435761 + added.block = candidate.item_2 * 2654435761 + prefix.block
WHERE
  (
    prefix.bits_1 & added.bits_1
  ) <> 0
  OR (
    prefix.bits_2 & added.bits_2
  ) <> 0;

-- cohorts-2
-- cohort_2: each row is an itemset and a transaction of its cohort: all that hold it
SELECT
  counted.id AS id,
  prefix.tid AS tid
FROM (
  SELECT
    CAST(item AS BIGINT) AS id,
    tid
  FROM extension
) AS prefix
JOIN extension AS added
  ON added.tid = prefix.tid
JOIN counted_2 AS counted
  ON counted.parent = prefix.id AND counted.item_2 = added.item
WHERE
  counted.support >= 20
ORDER BY
  id;

-- holders-2
SELECT
  counted.id AS id,
  prefix.tid AS tid
FROM (
  SELECT
    CAST(item AS BIGINT) AS id,
    tid
  FROM extension
) AS prefix
JOIN extension AS added
  ON added.tid = prefix.tid
JOIN counted_2 AS counted
  ON counted.parent = prefix.id AND counted.item_2 = added.item
WHERE
  counted.support >= 20;

-- links_in_bits-2
-- link_2: each row is an itemset and a private item with its hits: exact if they could be a breach
SELECT
  bound.id AS id,
  bound.item AS item,
  COALESCE(exact.hits, bound.hits) AS hits
FROM bound_2 AS bound
LEFT JOIN exact_2 AS exact
  ON exact.id = bound.id AND exact.item = bound.item;

-- bounds-2
-- bound_2: each row is an itemset and a private item, with a bound of hits from two of its subsets
SELECT
  counted.id AS id,
  counted.support AS support,
  counted.parent AS parent,
  counted.item_2 AS last,
  of_parent.item AS item,
  LEAST(of_parent.hits, of_sibling.hits) AS hits
FROM counted_2 AS counted
JOIN link_1 AS of_parent
  ON of_parent.id = counted.parent
JOIN link_1 AS of_sibling
  ON of_sibling.id = counted.sibling AND of_sibling.item = of_parent.item
WHERE
  counted.support >= 20 AND LEAST(of_parent.hits, of_sibling.hits) * 5 > 40;

-- counted_in_bits-2
-- counted_2: each row is an itemset of 2 public items with its support, counted from bits
SELECT
  candidate.id AS id,
  candidate.parent AS parent,
  candidate.sibling AS sibling,
  held.support AS support,
  candidate.item_1 AS item_1,
  candidate.item_2 AS item_2
FROM candidate_2 AS candidate
JOIN (
  SELECT
    p.id AS id,
    CAST(SUM(BIT_COUNT(p.bits)) AS BIGINT) AS support
  FROM posting_2 AS p
  GROUP BY
    p.id
) AS held
  ON held.id = candidate.id
ORDER BY
  id;

-- exact_hits-2
-- exact_2: each row is an itemset and a private item whose bound could be a breach, with exact hits
SELECT
  bound.id AS id,
  bound.item AS item,
  CAST(SUM(BIT_COUNT((
    cohort.bits & secret.bits
  ))) AS BIGINT) AS hits
FROM bound_2 AS bound
JOIN posting_2 AS cohort
  ON cohort.id = bound.id
JOIN secret_posting AS secret
  ON secret.id = bound.item AND secret.block = cohort.block
WHERE
  bound.hits * 5 > 2 * bound.support
GROUP BY
  bound.id,
  bound.item;

-- counted_in_bits-2-words
-- counted_2: each row is an itemset of 2 public items with its support, counted from bits
SELECT
  candidate.id AS id,
  candidate.parent AS parent,
  candidate.sibling AS sibling,
  held.support AS support,
  candidate.item_1 AS item_1,
  candidate.item_2 AS item_2
FROM candidate_2 AS candidate
JOIN (
  SELECT
    p.id AS id,
    CAST(SUM(CAST(BIT_COUNT(p.bits_1) AS INT) + CAST(BIT_COUNT(p.bits_2) AS INT)) AS BIGINT) AS support
  FROM posting_2 AS p
  GROUP BY
    p.id
) AS held
  ON held.id = candidate.id
ORDER BY
  id;

-- exact_hits-2-words
-- exact_2: each row is an itemset and a private item whose bound could be a breach, with exact hits
SELECT
  bound.id AS id,
  bound.item AS item,
  CAST(SUM(
    CAST(BIT_COUNT((
      cohort.bits_1 & secret.bits_1
    )) AS INT) + CAST(BIT_COUNT((
      cohort.bits_2 & secret.bits_2
    )) AS INT)
  ) AS BIGINT) AS hits
FROM bound_2 AS bound
JOIN posting_2 AS cohort
  ON cohort.id = bound.id
JOIN secret_posting AS secret
  ON secret.id * 2654435761 + secret.block = bound.item * 2654435761 + cohort.block
WHERE
  bound.hits * 5 > 2 * bound.support
GROUP BY
  bound.id,
  bound.item;

-- bounds-2-last
-- bound_2: each row is an itemset and a private item, with a bound of hits from two of its subsets
SELECT
  counted.id AS id,
  counted.support AS support,
  counted.parent AS parent,
  counted.item_2 AS last,
  of_parent.item AS item,
  LEAST(of_parent.hits, of_sibling.hits) AS hits
FROM counted_2 AS counted
JOIN link_1 AS of_parent
  ON of_parent.id = counted.parent
JOIN link_1 AS of_sibling
  ON of_sibling.id = counted.sibling AND of_sibling.item = of_parent.item
WHERE
  counted.support >= 20
  AND LEAST(of_parent.hits, of_sibling.hits) * 5 > 2 * counted.support;

-- counted_in_bits-2-last
-- counted_2: each row is an itemset of 2 public items with its support, counted from bits
SELECT
  candidate.id AS id,
  candidate.parent AS parent,
  candidate.sibling AS sibling,
  held.support AS support,
  candidate.item_1 AS item_1,
  candidate.item_2 AS item_2
FROM candidate_2 AS candidate
JOIN (
  SELECT
    candidate.id AS id,
    CAST(SUM(BIT_COUNT((
      prefix.bits & added.bits
    ))) AS BIGINT) AS support
  FROM candidate_2 AS candidate
  JOIN posting_1 AS prefix
    ON prefix.id = candidate.parent
  JOIN posting_1 AS added
    ON added.id = candidate.item_2 AND added.block = prefix.block
  GROUP BY
    candidate.id
  HAVING
    SUM(BIT_COUNT((
      prefix.bits & added.bits
    ))) > 0
) AS held
  ON held.id = candidate.id
ORDER BY
  id;

-- exact_hits-2-last
-- exact_2: each row is an itemset and a private item whose bound could be a breach, with exact hits
SELECT
  bound.id AS id,
  bound.item AS item,
  CAST(SUM(BIT_COUNT((
    cohort.bits & added.bits & secret.bits
  ))) AS BIGINT) AS hits
FROM bound_2 AS bound
JOIN posting_1 AS cohort
  ON cohort.id = bound.parent
JOIN posting_1 AS added
  ON added.id = bound.last AND added.block = cohort.block
JOIN secret_posting AS secret
  ON secret.id = bound.item AND secret.block = cohort.block
WHERE
  bound.hits * 5 > 2 * bound.support
GROUP BY
  bound.id,
  bound.item;

-- counted_in_bits-2-last-words
-- counted_2: each row is an itemset of 2 public items with its support, counted from bits
SELECT
  candidate.id AS id,
  candidate.parent AS parent,
  candidate.sibling AS sibling,
  held.support AS support,
  candidate.item_1 AS item_1,
  candidate.item_2 AS item_2
FROM candidate_2 AS candidate
JOIN (
  SELECT
    candidate.id AS id,
    CAST(SUM(
      CAST(BIT_COUNT((
        prefix.bits_1 & added.bits_1
      )) AS INT) + CAST(BIT_COUNT((
        prefix.bits_2 & added.bits_2
      )) AS INT)
    ) AS BIGINT) AS support
  FROM candidate_2 AS candidate
  JOIN posting_1 AS prefix
    ON prefix.id = candidate.parent
  JOIN posting_1 AS added
    ON added.id * 2654435761 + added.block = candidate.item_2 * 2654435761 + prefix.block
  GROUP BY
    candidate.id
  HAVING
    SUM(
      CAST(BIT_COUNT((
        prefix.bits_1 & added.bits_1
      )) AS INT) + CAST(BIT_COUNT((
        prefix.bits_2 & added.bits_2
      )) AS INT)
    ) > 0
) AS held
  ON held.id = candidate.id
ORDER BY
  id;

-- exact_hits-2-last-words
-- exact_2: each row is an itemset and a private item whose bound could be a breach, with exact hits
SELECT
  bound.id AS id,
  bound.item AS item,
  CAST(SUM(
    CAST(BIT_COUNT((
      cohort.bits_1 & added.bits_1 & secret.bits_1
    )) AS INT) + CAST(BIT_COUNT((
      cohort.bits_2 & added.bits_2 & secret.bits_2
    )) AS INT)
  ) AS BIGINT) AS hits
FROM bound_2 AS bound
JOIN posting_1 AS cohort
  ON cohort.id = bound.parent
JOIN posting_1 AS added
  ON added.id * 2654435761 + added.block = bound.last * 2654435761 + cohort.block
JOIN secret_posting AS secret
  ON secret.id * 2654435761 + secret.block = bound.item * 2654435761 + cohort.block
WHERE
  bound.hits * 5 > 2 * bound.support
GROUP BY
  bound.id,
  bound.item;

-- candidates-3
-- candidate_3: each row is an itemset of 3 public items whose every subset is extendible: no mole
SELECT
  ROW_NUMBER() OVER (ORDER BY prefix.item_1, prefix.item_2, sibling.item_2) AS id,
  prefix.id AS parent,
  sibling.id AS sibling,
  prefix.item_1 AS item_1,
  prefix.item_2 AS item_2,
  sibling.item_2 AS item_3
FROM judged_2 AS prefix
JOIN judged_2 AS sibling
  ON prefix.item_1 = sibling.item_1 AND prefix.item_2 < sibling.item_2
WHERE
  prefix.verdict = 0
  AND sibling.verdict = 0
  AND EXISTS(
    SELECT
      1
    FROM judged_2 AS subset
    WHERE
      subset.item_1 = prefix.item_2
      AND subset.item_2 = sibling.item_2
      AND subset.verdict = 0
  )
ORDER BY
  item_1,
  item_2,
  item_3;

-- intersections-3
-- posting_3: each row is an itemset and a block of bits: one bit per transaction of its cohort
SELECT
  candidate.id AS id,
  prefix.block AS block,
  (
    prefix.bits & added.bits
  ) AS bits
FROM candidate_3 AS candidate
JOIN posting_2 AS prefix
  ON prefix.id = candidate.parent
JOIN posting_1 AS added
  ON added.id = candidate.item_3 AND added.block = prefix.block
WHERE
  BIT_COUNT((
    prefix.bits & added.bits
  )) > 0;

-- intersections-3-words
-- posting_3: each row is an itemset and a block of bits: one bit per transaction of its cohort
SELECT
  candidate.id AS id,
  prefix.block AS block,
  (
    prefix.bits_1 & added.bits_1
  ) AS bits_1,
  (
    prefix.bits_2 & added.bits_2
  ) AS bits_2
FROM candidate_3 AS candidate
JOIN posting_2 AS prefix
  ON prefix.id = candidate.parent
JOIN posting_1 AS added
  ON added.id * 2654435761 + added.block = candidate.item_3 * 2654435761 + prefix.block
WHERE
  (
    prefix.bits_1 & added.bits_1
  ) <> 0
  OR (
    prefix.bits_2 & added.bits_2
  ) <> 0;

-- cohorts-3
-- cohort_3: each row is an itemset and a transaction of its cohort: all that hold it
SELECT
  counted.id AS id,
  prefix.tid AS tid
FROM cohort_2 AS prefix
JOIN extension AS added
  ON added.tid = prefix.tid
JOIN counted_3 AS counted
  ON counted.parent = prefix.id AND counted.item_3 = added.item
WHERE
  counted.support >= 20;

-- holders-3
SELECT
  counted.id AS id,
  prefix.tid AS tid
FROM cohort_2 AS prefix
JOIN extension AS added
  ON added.tid = prefix.tid
JOIN counted_3 AS counted
  ON counted.parent = prefix.id AND counted.item_3 = added.item
WHERE
  counted.support >= 20;

-- links_in_bits-3
-- link_3: each row is an itemset and a private item with its hits: exact if they could be a breach
SELECT
  bound.id AS id,
  bound.item AS item,
  COALESCE(exact.hits, bound.hits) AS hits
FROM bound_3 AS bound
LEFT JOIN exact_3 AS exact
  ON exact.id = bound.id AND exact.item = bound.item;

-- bounds-3
-- bound_3: each row is an itemset and a private item, with a bound of hits from two of its subsets
SELECT
  counted.id AS id,
  counted.support AS support,
  counted.parent AS parent,
  counted.item_3 AS last,
  of_parent.item AS item,
  LEAST(of_parent.hits, of_sibling.hits) AS hits
FROM counted_3 AS counted
JOIN link_2 AS of_parent
  ON of_parent.id = counted.parent
JOIN link_2 AS of_sibling
  ON of_sibling.id = counted.sibling AND of_sibling.item = of_parent.item
WHERE
  counted.support >= 20 AND LEAST(of_parent.hits, of_sibling.hits) * 5 > 40;

-- counted_in_bits-3
-- counted_3: each row is an itemset of 3 public items with its support, counted from bits
SELECT
  candidate.id AS id,
  candidate.parent AS parent,
  candidate.sibling AS sibling,
  held.support AS support,
  candidate.item_1 AS item_1,
  candidate.item_2 AS item_2,
  candidate.item_3 AS item_3
FROM candidate_3 AS candidate
JOIN (
  SELECT
    p.id AS id,
    CAST(SUM(BIT_COUNT(p.bits)) AS BIGINT) AS support
  FROM posting_3 AS p
  GROUP BY
    p.id
) AS held
  ON held.id = candidate.id
ORDER BY
  id;

-- exact_hits-3
-- exact_3: each row is an itemset and a private item whose bound could be a breach, with exact hits
SELECT
  bound.id AS id,
  bound.item AS item,
  CAST(SUM(BIT_COUNT((
    cohort.bits & secret.bits
  ))) AS BIGINT) AS hits
FROM bound_3 AS bound
JOIN posting_3 AS cohort
  ON cohort.id = bound.id
JOIN secret_posting AS secret
  ON secret.id = bound.item AND secret.block = cohort.block
WHERE
  bound.hits * 5 > 2 * bound.support
GROUP BY
  bound.id,
  bound.item;

-- counted_in_bits-3-words
-- counted_3: each row is an itemset of 3 public items with its support, counted from bits
SELECT
  candidate.id AS id,
  candidate.parent AS parent,
  candidate.sibling AS sibling,
  held.support AS support,
  candidate.item_1 AS item_1,
  candidate.item_2 AS item_2,
  candidate.item_3 AS item_3
FROM candidate_3 AS candidate
JOIN (
  SELECT
    p.id AS id,
    CAST(SUM(CAST(BIT_COUNT(p.bits_1) AS INT) + CAST(BIT_COUNT(p.bits_2) AS INT)) AS BIGINT) AS support
  FROM posting_3 AS p
  GROUP BY
    p.id
) AS held
  ON held.id = candidate.id
ORDER BY
  id;

-- exact_hits-3-words
-- exact_3: each row is an itemset and a private item whose bound could be a breach, with exact hits
SELECT
  bound.id AS id,
  bound.item AS item,
  CAST(SUM(
    CAST(BIT_COUNT((
      cohort.bits_1 & secret.bits_1
    )) AS INT) + CAST(BIT_COUNT((
      cohort.bits_2 & secret.bits_2
    )) AS INT)
  ) AS BIGINT) AS hits
FROM bound_3 AS bound
JOIN posting_3 AS cohort
  ON cohort.id = bound.id
JOIN secret_posting AS secret
  ON secret.id * 2654435761 + secret.block = bound.item * 2654435761 + cohort.block
WHERE
  bound.hits * 5 > 2 * bound.support
GROUP BY
  bound.id,
  bound.item;

-- bounds-3-last
-- bound_3: each row is an itemset and a private item, with a bound of hits from two of its subsets
SELECT
  counted.id AS id,
  counted.support AS support,
  counted.parent AS parent,
  counted.item_3 AS last,
  of_parent.item AS item,
  LEAST(of_parent.hits, of_sibling.hits) AS hits
FROM counted_3 AS counted
JOIN link_2 AS of_parent
  ON of_parent.id = counted.parent
JOIN link_2 AS of_sibling
  ON of_sibling.id = counted.sibling AND of_sibling.item = of_parent.item
WHERE
  counted.support >= 20
  AND LEAST(of_parent.hits, of_sibling.hits) * 5 > 2 * counted.support;

-- counted_in_bits-3-last
-- counted_3: each row is an itemset of 3 public items with its support, counted from bits
SELECT
  candidate.id AS id,
  candidate.parent AS parent,
  candidate.sibling AS sibling,
  held.support AS support,
  candidate.item_1 AS item_1,
  candidate.item_2 AS item_2,
  candidate.item_3 AS item_3
FROM candidate_3 AS candidate
JOIN (
  SELECT
    candidate.id AS id,
    CAST(SUM(BIT_COUNT((
      prefix.bits & added.bits
    ))) AS BIGINT) AS support
  FROM candidate_3 AS candidate
  JOIN posting_2 AS prefix
    ON prefix.id = candidate.parent
  JOIN posting_1 AS added
    ON added.id = candidate.item_3 AND added.block = prefix.block
  GROUP BY
    candidate.id
  HAVING
    SUM(BIT_COUNT((
      prefix.bits & added.bits
    ))) > 0
) AS held
  ON held.id = candidate.id
ORDER BY
  id;

-- exact_hits-3-last
-- exact_3: each row is an itemset and a private item whose bound could be a breach, with exact hits
SELECT
  bound.id AS id,
  bound.item AS item,
  CAST(SUM(BIT_COUNT((
    cohort.bits & added.bits & secret.bits
  ))) AS BIGINT) AS hits
FROM bound_3 AS bound
JOIN posting_2 AS cohort
  ON cohort.id = bound.parent
JOIN posting_1 AS added
  ON added.id = bound.last AND added.block = cohort.block
JOIN secret_posting AS secret
  ON secret.id = bound.item AND secret.block = cohort.block
WHERE
  bound.hits * 5 > 2 * bound.support
GROUP BY
  bound.id,
  bound.item;

-- counted_in_bits-3-last-words
-- counted_3: each row is an itemset of 3 public items with its support, counted from bits
SELECT
  candidate.id AS id,
  candidate.parent AS parent,
  candidate.sibling AS sibling,
  held.support AS support,
  candidate.item_1 AS item_1,
  candidate.item_2 AS item_2,
  candidate.item_3 AS item_3
FROM candidate_3 AS candidate
JOIN (
  SELECT
    candidate.id AS id,
    CAST(SUM(
      CAST(BIT_COUNT((
        prefix.bits_1 & added.bits_1
      )) AS INT) + CAST(BIT_COUNT((
        prefix.bits_2 & added.bits_2
      )) AS INT)
    ) AS BIGINT) AS support
  FROM candidate_3 AS candidate
  JOIN posting_2 AS prefix
    ON prefix.id = candidate.parent
  JOIN posting_1 AS added
    ON added.id * 2654435761 + added.block = candidate.item_3 * 2654435761 + prefix.block
  GROUP BY
    candidate.id
  HAVING
    SUM(
      CAST(BIT_COUNT((
        prefix.bits_1 & added.bits_1
      )) AS INT) + CAST(BIT_COUNT((
        prefix.bits_2 & added.bits_2
      )) AS INT)
    ) > 0
) AS held
  ON held.id = candidate.id
ORDER BY
  id;

-- exact_hits-3-last-words
-- exact_3: each row is an itemset and a private item whose bound could be a breach, with exact hits
SELECT
  bound.id AS id,
  bound.item AS item,
  CAST(SUM(
    CAST(BIT_COUNT((
      cohort.bits_1 & added.bits_1 & secret.bits_1
    )) AS INT) + CAST(BIT_COUNT((
      cohort.bits_2 & added.bits_2 & secret.bits_2
    )) AS INT)
  ) AS BIGINT) AS hits
FROM bound_3 AS bound
JOIN posting_2 AS cohort
  ON cohort.id = bound.parent
JOIN posting_1 AS added
  ON added.id * 2654435761 + added.block = bound.last * 2654435761 + cohort.block
JOIN secret_posting AS secret
  ON secret.id * 2654435761 + secret.block = bound.item * 2654435761 + cohort.block
WHERE
  bound.hits * 5 > 2 * bound.support
GROUP BY
  bound.id,
  bound.item;

-- exact_hits-2-every
-- exact_2: each row is an itemset and a private item whose bound could be a breach, with exact hits
SELECT
  bound.id AS id,
  bound.item AS item,
  CAST(SUM(BIT_COUNT((
    cohort.bits & secret.bits
  ))) AS BIGINT) AS hits
FROM bound_2 AS bound
JOIN posting_2 AS cohort
  ON cohort.id = bound.id
JOIN secret_posting AS secret
  ON secret.id = bound.item AND secret.block = cohort.block
GROUP BY
  bound.id,
  bound.item;

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
  FROM (
    SELECT
      x.tid AS tid,
      ranked.rank AS rank
    FROM extension AS x
    JOIN (
      SELECT
        id,
        ROW_NUMBER() OVER (ORDER BY support, id) - 1 AS rank
      FROM judged_1
      WHERE
        verdict = 0
    ) AS ranked
      ON ranked.id = x.item
  ) AS r
  GROUP BY
    r.tid
) AS s;

-- at_places
SELECT
  r.id AS id,
  place.place AS tid
FROM (
  SELECT
    CAST(item AS BIGINT) AS id,
    tid
  FROM extension
) AS r
JOIN place AS place
  ON place.tid = r.tid;

-- counted_in_lists-3
-- counted_3: each row is an itemset of 3 public items with its support, counted from lists
SELECT
  ROW_NUMBER() OVER (ORDER BY joined.pair) AS id,
  prefix.id AS parent,
  sibling.id AS sibling,
  joined.support AS support,
  prefix.item_1 AS item_1,
  prefix.item_2 AS item_2,
  sibling.item_2 AS item_3
FROM (
  SELECT
    cohort.id * 1000 + added.item AS pair,
    COUNT(*) AS support
  FROM cohort_2 AS cohort
  JOIN judged_2 AS judged
    ON judged.id = cohort.id
  JOIN extension AS added
    ON added.tid = cohort.tid AND added.item > judged.item_2
  WHERE
    judged.verdict = 0
  GROUP BY
    cohort.id * 1000 + added.item
) AS joined
JOIN judged_2 AS prefix
  ON prefix.id = joined.pair // 1000
JOIN judged_2 AS sibling
  ON CAST(sibling.item_1 AS BIGINT) * 1000 + sibling.item_2 = CAST(prefix.item_1 AS BIGINT) * 1000 + (
    joined.pair % 1000
  )
WHERE
  sibling.verdict = 0
  AND EXISTS(
    SELECT
      1
    FROM judged_2 AS subset
    WHERE
      subset.item_1 = prefix.item_2
      AND subset.item_2 = sibling.item_2
      AND subset.verdict = 0
  )
ORDER BY
  id;

-- counted_in_lists-3-last
-- counted_3: each row is an itemset of 3 public items with its support, counted from lists
SELECT
  joined.pair AS id,
  prefix.id AS parent,
  sibling.id AS sibling,
  joined.support AS support,
  prefix.item_1 AS item_1,
  prefix.item_2 AS item_2,
  sibling.item_2 AS item_3
FROM (
  SELECT
    cohort.id * 1000 + added.item AS pair,
    COUNT(*) AS support
  FROM cohort_2 AS cohort
  JOIN judged_2 AS judged
    ON judged.id = cohort.id
  JOIN extension AS added
    ON added.tid = cohort.tid AND added.item > judged.item_2
  WHERE
    judged.verdict = 0
  GROUP BY
    cohort.id * 1000 + added.item
) AS joined
JOIN judged_2 AS prefix
  ON prefix.id = joined.pair // 1000
JOIN judged_2 AS sibling
  ON CAST(sibling.item_1 AS BIGINT) * 1000 + sibling.item_2 = CAST(prefix.item_1 AS BIGINT) * 1000 + (
    joined.pair % 1000
  )
WHERE
  sibling.verdict = 0
  AND EXISTS(
    SELECT
      1
    FROM judged_2 AS subset
    WHERE
      subset.item_1 = prefix.item_2
      AND subset.item_2 = sibling.item_2
      AND subset.verdict = 0
  );

-- counted_in_lists-3-part
-- counted_3: each row is an itemset of 3 public items with its support, counted from lists
SELECT
  joined.pair AS id,
  prefix.id AS parent,
  sibling.id AS sibling,
  joined.support AS support,
  prefix.item_1 AS item_1,
  prefix.item_2 AS item_2,
  sibling.item_2 AS item_3
FROM (
  SELECT
    cohort.id * 1000 + added.item AS pair,
    COUNT(*) AS support
  FROM cohort_2 AS cohort
  JOIN judged_2 AS judged
    ON judged.id = cohort.id
  JOIN extension AS added
    ON added.tid = cohort.tid AND added.item > judged.item_2
  WHERE
    judged.verdict = 0 AND cohort.id % 4 = 1
  GROUP BY
    cohort.id * 1000 + added.item
) AS joined
JOIN judged_2 AS prefix
  ON prefix.id = joined.pair // 1000
JOIN judged_2 AS sibling
  ON CAST(sibling.item_1 AS BIGINT) * 1000 + sibling.item_2 = CAST(prefix.item_1 AS BIGINT) * 1000 + (
    joined.pair % 1000
  )
WHERE
  sibling.verdict = 0
  AND EXISTS(
    SELECT
      1
    FROM judged_2 AS subset
    WHERE
      subset.item_1 = prefix.item_2
      AND subset.item_2 = sibling.item_2
      AND subset.verdict = 0
  );

-- links_in_lists-2
-- link_2: each row is an itemset and a private item that part of its cohort holds, with its hits
SELECT
  pair // 1000 AS id,
  CAST(pair % 1000 AS INT) AS item,
  hits
FROM (
  SELECT
    cohort.id * 1000 + secret.item AS pair,
    COUNT(*) AS hits
  FROM cohort_2 AS cohort
  JOIN secret AS secret
    ON secret.tid = cohort.tid
  GROUP BY
    cohort.id * 1000 + secret.item
  HAVING
    COUNT(*) * 5 > 40
) AS met;

-- judged-2
-- judged_2: each row is an itemset with its verdict: 0 extendible; a mole is 1 rare or 2 revealing
SELECT
  counted.id AS id,
  counted.support AS support,
  CASE WHEN counted.support < 20 THEN 1 WHEN revealed.id IS NULL THEN 0 ELSE 2 END AS verdict,
  counted.item_1 AS item_1,
  counted.item_2 AS item_2
FROM counted_2 AS counted
LEFT JOIN (
  SELECT DISTINCT
    counted.id AS id
  FROM counted_2 AS counted
  JOIN link_2 AS link
    ON link.id = counted.id
  WHERE
    link.hits * 5 > 2 * counted.support
) AS revealed
  ON revealed.id = counted.id;

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
    bound.id * 1000 + bound.item AS pair,
    COUNT(*) AS hits
  FROM cohort_2 AS cohort
  JOIN bound_2 AS bound
    ON bound.id = cohort.id
  JOIN secret AS secret
    ON secret.tid = cohort.tid AND secret.item = bound.item
  GROUP BY
    bound.id * 1000 + bound.item
) AS met;

-- links_in_lists-3
-- link_3: each row is an itemset and a private item that part of its cohort holds, with its hits
SELECT
  pair // 1000 AS id,
  CAST(pair % 1000 AS INT) AS item,
  hits
FROM (
  SELECT
    cohort.id * 1000 + secret.item AS pair,
    COUNT(*) AS hits
  FROM cohort_3 AS cohort
  JOIN secret AS secret
    ON secret.tid = cohort.tid
  GROUP BY
    cohort.id * 1000 + secret.item
  HAVING
    COUNT(*) * 5 > 40
) AS met;

-- judged-3
-- judged_3: each row is an itemset with its verdict: 0 extendible; a mole is 1 rare or 2 revealing
SELECT
  counted.id AS id,
  counted.support AS support,
  CASE WHEN counted.support < 20 THEN 1 WHEN revealed.id IS NULL THEN 0 ELSE 2 END AS verdict,
  counted.item_1 AS item_1,
  counted.item_2 AS item_2,
  counted.item_3 AS item_3
FROM counted_3 AS counted
LEFT JOIN (
  SELECT DISTINCT
    counted.id AS id
  FROM counted_3 AS counted
  JOIN link_3 AS link
    ON link.id = counted.id
  WHERE
    link.hits * 5 > 2 * counted.support
) AS revealed
  ON revealed.id = counted.id;

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
    bound.id * 1000 + bound.item AS pair,
    COUNT(*) AS hits
  FROM cohort_3 AS cohort
  JOIN bound_3 AS bound
    ON bound.id = cohort.id
  JOIN secret AS secret
    ON secret.tid = cohort.tid AND secret.item = bound.item
  GROUP BY
    bound.id * 1000 + bound.item
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
  counted.id AS id,
  counted.support AS support,
  CASE WHEN counted.support < 20 THEN 1 ELSE 0 END AS verdict,
  counted.item_1 AS item_1,
  counted.item_2 AS item_2
FROM counted_2 AS counted;
