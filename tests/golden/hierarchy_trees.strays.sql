-- strays: every node has one parent
SELECT
  s.level AS level,
  s.label AS label,
  s.low AS low,
  s.high AS high,
  s.first AS first,
  s.last AS last,
  COUNT(*) OVER () AS found
FROM (
  SELECT
    a.level AS level,
    a.label AS label,
    MIN(a.above) AS low,
    MAX(a.above) AS high,
    MIN(a.above_label) AS first,
    MAX(a.above_label) AS last
  FROM lineage AS a
  WHERE
    NOT a.above IS NULL
  GROUP BY
    a.level,
    a.label
  HAVING
    MIN(a.above) < MAX(a.above) OR MIN(a.above_label) < MAX(a.above_label)
) AS s
ORDER BY
  level,
  label
LIMIT 5;
