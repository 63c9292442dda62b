-- check_supports: what is left of every pattern
SELECT
  p.pattern AS pattern,
  COALESCE(w.support, 0) AS was,
  COALESCE(i.support, 0) AS stays
FROM (
  SELECT DISTINCT
    pattern
  FROM check_pattern
) AS p
LEFT JOIN (
  SELECT
    pattern,
    CAST(SUM(BIT_COUNT(bits)) AS BIGINT) AS support
  FROM check_cohort
  GROUP BY
    pattern
) AS w
  ON w.pattern = p.pattern
LEFT JOIN (
  SELECT
    pattern,
    CAST(SUM(BIT_COUNT(bits)) AS BIGINT) AS support
  FROM check_left
  GROUP BY
    pattern
) AS i
  ON i.pattern = p.pattern
ORDER BY
  pattern;
