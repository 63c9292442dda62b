-- descent: what stands below a branch, for each item
SELECT
  a.item AS item,
  a.branch AS branch,
  a.up AS up,
  COALESCE(a.below, -1 - a.item) AS child,
  a.leaves - COALESCE(a.leaves_below, 0) AS gain
FROM (
  SELECT
    p.item AS item,
    b.branch AS branch,
    b.leaves AS leaves,
    LAG(b.branch) OVER (PARTITION BY p.item ORDER BY b.leaves) AS below,
    LAG(b.leaves) OVER (PARTITION BY p.item ORDER BY b.leaves) AS leaves_below,
    LEAD(b.branch) OVER (PARTITION BY p.item ORDER BY b.leaves) AS up
  FROM path AS p
  JOIN branch AS b
    ON b.node = p.node
) AS a;
