-- elsewhere: supports among the others
SELECT
  r.part AS part,
  COUNT(*) AS support,
  r.k_0 AS k_0,
  r.k_1 AS k_1
FROM reached_2 AS r
GROUP BY
  r.part,
  r.k_0,
  r.k_1;
