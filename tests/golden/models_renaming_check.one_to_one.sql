-- check_pairs: a renaming is one to one
SELECT
  COUNT(*) AS pairs,
  COUNT(DISTINCT p.code) AS codes,
  COUNT(DISTINCT p.name) AS names
FROM pairs AS p;
