-- conflict: the degree of conflict
SELECT
  tid,
  COUNT(*) AS degree
FROM sensitive
GROUP BY
  tid;
