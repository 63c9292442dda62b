-- frequent_restrictive: what holds a restrictive pattern is restrictive, too
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
