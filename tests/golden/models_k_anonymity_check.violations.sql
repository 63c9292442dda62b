-- violations: the worst, as the release shows them
SELECT
  w.place AS place,
  w.transactions AS transactions,
  w.size AS size,
  w.level AS level,
  w.label AS label
FROM (
  SELECT
    v.place AS place,
    v.transactions AS transactions,
    v.size AS size,
    n.level AS level,
    n.label AS label,
    ROW_NUMBER() OVER (PARTITION BY v.place ORDER BY n.level, n.label) AS number
  FROM (
    SELECT
      c.first AS first,
      c.size AS size,
      c.transactions AS transactions,
      ROW_NUMBER() OVER (ORDER BY c.transactions, c.size, c.first) AS place
    FROM check_class AS c
    WHERE
      c.transactions < 20
  ) AS v
  LEFT JOIN check_held AS h
    ON h.tid = v.first
  LEFT JOIN check_node AS n
    ON n.node = h.node
  WHERE
    v.place <= 20
) AS w
WHERE
  w.number <= 12
ORDER BY
  place,
  level,
  label;
