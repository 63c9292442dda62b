-- set_pair_0: itemsets of one size and about the same frequency
SELECT
  k.id AS known,
  m.id AS mined
FROM sought AS k
JOIN mined_set AS m
  ON m.size = k.size AND m.nano >= k.nano - 1001 AND m.nano <= k.nano + 1001
WHERE
  k.size > 1;
