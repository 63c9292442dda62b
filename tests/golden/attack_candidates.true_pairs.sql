-- true_pair: what the answer is judged by
SELECT
  t.mined AS mined,
  t.known AS known
FROM truth AS t
ORDER BY
  mined,
  known;
