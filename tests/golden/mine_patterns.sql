-- itemsets-0
-- frequent_itemset: each row is a frequent itemset of any size, with its support
SELECT
  item AS itemset,
  1 AS size,
  support
FROM item
WHERE
  FALSE;

-- members-0
-- frequent_member: each row is an item of a frequent itemset
SELECT
  item AS itemset,
  item AS item
FROM item
WHERE
  FALSE;

-- common-0
-- mined_common: counts itemsets that are frequent on both sides; the release's others are artifacts
SELECT
  0 AS size,
  COUNT(*) AS itemsets
FROM item
WHERE
  FALSE;

-- itemsets-2
-- frequent_itemset: each row is a frequent itemset of any size, with its support
SELECT
  f.id * 64 + 1 AS itemset,
  1 AS size,
  f.support AS support
FROM frequent_1 AS f
UNION ALL
SELECT
  f.id * 64 + 2 AS itemset,
  2 AS size,
  f.support AS support
FROM frequent_2 AS f;

-- members-2
-- frequent_member: each row is an item of a frequent itemset
SELECT
  f.id * 64 + 1 AS itemset,
  f.item_1 AS item
FROM frequent_1 AS f
UNION ALL
SELECT
  f.id * 64 + 2 AS itemset,
  f.item_1 AS item
FROM frequent_2 AS f
UNION ALL
SELECT
  f.id * 64 + 2 AS itemset,
  f.item_2 AS item
FROM frequent_2 AS f;

-- common-2
-- mined_common: counts itemsets that are frequent on both sides; the release's others are artifacts
SELECT
  1 AS size,
  COUNT(*) AS itemsets
FROM frequent_1 AS b
JOIN refound_1 AS a
  ON a.item_1 = b.item_1
UNION ALL
SELECT
  2 AS size,
  COUNT(*) AS itemsets
FROM frequent_2 AS b
JOIN refound_2 AS a
  ON a.item_1 = b.item_1 AND a.item_2 = b.item_2;

-- restrictive
-- frequent_restrictive: each row is a frequent itemset that holds a restrictive pattern, and so is restrictive too
SELECT DISTINCT
  h.itemset AS itemset
FROM (
  SELECT
    m.itemset AS itemset,
    r.pattern AS pattern,
    COUNT(*) AS held
  FROM frequent_member AS m
  JOIN restricted AS r
    ON r.item = m.item
  GROUP BY
    m.itemset,
    r.pattern
) AS h
JOIN (
  SELECT
    pattern,
    COUNT(*) AS size
  FROM restricted
  GROUP BY
    pattern
) AS n
  ON n.pattern = h.pattern
WHERE
  h.held = n.size;

-- remaining
-- remaining: each row is an occurrence that stays in the release, for others to mine
SELECT
  o.tid AS tid,
  o.item AS item
FROM occurrence AS o
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM suppressed AS d
    WHERE
      d.tid = o.tid AND d.item = o.item
  );

-- sizes
-- mined_sizes: counts the frequent and the restrictive itemsets before and after
SELECT
  b.n AS before,
  rb.n AS restrictive_before,
  a.n AS after,
  ra.n AS restrictive_after
FROM (
  SELECT
    COUNT(*) AS n
  FROM frequent_itemset
) AS b
CROSS JOIN (
  SELECT
    COUNT(*) AS n
  FROM frequent_restrictive
) AS rb
CROSS JOIN (
  SELECT
    COUNT(*) AS n
  FROM refound_itemset
) AS a
CROSS JOIN (
  SELECT
    COUNT(*) AS n
  FROM refound_restrictive
) AS ra;
