-- kind_sizes: how many can lose the same
SELECT
  kind,
  COUNT(*) AS transactions
FROM kind
GROUP BY
  kind
ORDER BY
  kind;
