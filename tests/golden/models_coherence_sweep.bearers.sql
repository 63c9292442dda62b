-- bearers: who can lose something
SELECT
  COUNT(DISTINCT tid) AS transactions
FROM occurrence;
