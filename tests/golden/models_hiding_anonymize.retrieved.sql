-- retrieved: Boolean queries: the items of each pattern, joined by AND
SELECT
  r.pattern AS pattern,
  p.block AS block,
  BIT_AND(p.bits) AS bits
FROM restricted AS r
JOIN posting AS p
  ON p.id = r.item
JOIN (
  SELECT
    pattern,
    COUNT(*) AS size
  FROM restricted
  GROUP BY
    pattern
) AS n
  ON n.pattern = r.pattern
GROUP BY
  r.pattern,
  n.size,
  p.block
HAVING
  COUNT(*) = n.size AND BIT_COUNT(BIT_AND(p.bits)) > 0;
