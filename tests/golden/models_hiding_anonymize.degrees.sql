-- degrees: how many transactions hold several patterns
SELECT
  degree,
  COUNT(*) AS transactions
FROM conflict
GROUP BY
  degree
ORDER BY
  degree;
