-- counted: supports among the guarded
SELECT
  s.part AS part,
  CAST(SUM(s.weight) AS BIGINT) AS support,
  MAX(s.telling) AS telling,
  MIN(CAST(s.shape AS BIGINT) * 8 + s.mask) AS example,
  s.k_0 AS k_0,
  s.k_1 AS k_1
FROM subset AS s
GROUP BY
  s.part,
  s.k_0,
  s.k_1;
