-- set_choice: the itemsets that each published one may be
SELECT
  p.known AS known,
  p.mined AS mined,
  k.nano - m.nano AS apart
FROM set_pair_2 AS p
JOIN known_set AS k
  ON k.id = p.known
JOIN mined_set AS m
  ON m.id = p.mined
ORDER BY
  known,
  mined;
