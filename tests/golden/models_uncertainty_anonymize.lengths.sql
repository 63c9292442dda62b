-- lengths: decides how long a transaction may be for its subsets to be listed
SELECT
  e.held AS held,
  COUNT(*) AS transactions
FROM extent AS e
WHERE
  e.held > 1 AND e.known < e.held
GROUP BY
  e.held
ORDER BY
  held;
