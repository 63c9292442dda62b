-- quota: how many
SELECT
  CAST(v.pattern AS INT) AS pattern,
  CAST(v.n AS INT) AS n
FROM (VALUES
  (0, 0)) AS v(pattern, n)
WHERE
  FALSE;
