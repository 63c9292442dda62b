-- sensitive: the transactions that give a restrictive pattern away
SELECT
  r.pattern AS pattern,
  CAST(r.block * 64 + p.id AS INT) AS tid
FROM retrieved AS r
JOIN place AS p
  ON BIT_COUNT(r.bits & p.bits) = 1;
