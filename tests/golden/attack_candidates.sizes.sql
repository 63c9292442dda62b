-- known_size: what to look for in the data
SELECT
  k.size AS size,
  COUNT(*) AS itemsets,
  MIN(k.nano) AS nano
FROM known_set AS k
GROUP BY
  k.size
ORDER BY
  size;
