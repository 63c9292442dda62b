-- supports: how many transactions are to be sanitized follows from it
SELECT
  pattern,
  COUNT(*) AS support
FROM sensitive
GROUP BY
  pattern
ORDER BY
  pattern;
