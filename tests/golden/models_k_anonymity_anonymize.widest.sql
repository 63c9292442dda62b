-- widest: decides how children are told apart: as a number or as bits
SELECT
  COALESCE(MAX(s.slot), 0) + 1 AS children,
  COUNT(DISTINCT s.branch) AS branches
FROM slot AS s;
