-- check_class: those who look the same
SELECT
  t.first AS first,
  t.size AS size,
  COUNT(*) AS transactions
FROM check_twin_2 AS t
GROUP BY
  t.first,
  t.size;
