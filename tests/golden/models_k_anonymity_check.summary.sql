-- summary: is every class of k or more?
SELECT
  COUNT(*) AS classes,
  COUNT(CASE WHEN c.transactions < 20 THEN 1 END) AS small,
  COALESCE(MIN(c.transactions), 0) AS smallest,
  CAST(COALESCE(SUM(c.transactions), 0) AS BIGINT) AS transactions,
  CAST(COALESCE(SUM(c.transactions * c.transactions), 0) AS BIGINT) AS discernibility
FROM check_class AS c;
