-- mined_sizes: how many of each kind there are
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
