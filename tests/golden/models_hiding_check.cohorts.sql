-- check_cohort: who holds all items of a pattern
SELECT
  h.pattern AS pattern,
  h.word AS word,
  BIT_AND(h.bits) AS bits
FROM (
  SELECT
    p.pattern AS pattern,
    w.cell % 2654435761 AS word,
    w.bits AS bits
  FROM check_pattern AS p
  JOIN check_was AS w
    ON (
      w.cell - w.cell % 2654435761
    ) / 2654435761 = p.item
) AS h
JOIN (
  SELECT
    pattern,
    COUNT(*) AS size
  FROM check_pattern
  GROUP BY
    pattern
) AS n
  ON n.pattern = h.pattern
GROUP BY
  h.pattern,
  h.word,
  n.size
HAVING
  COUNT(*) = n.size AND BIT_AND(h.bits) <> 0;
