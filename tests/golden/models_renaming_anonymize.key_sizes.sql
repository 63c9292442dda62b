-- key_size: in a key every code and every name is there once
SELECT
  COUNT(*) AS pairs,
  COUNT(DISTINCT p.code) AS codes,
  COUNT(DISTINCT p.name) AS names
FROM key_pair AS p;
