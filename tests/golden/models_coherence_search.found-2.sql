-- found_2: what leaves the database must fit into memory
SELECT
  COUNT(*) AS moles
FROM judged_2 AS j
WHERE
  j.verdict > 0;
