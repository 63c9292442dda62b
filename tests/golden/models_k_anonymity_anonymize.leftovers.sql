-- leftovers: how often a branch stayed as it was
SELECT
  COUNT(*) AS leftovers,
  CAST(COALESCE(SUM(l.transactions), 0) AS BIGINT) AS moved,
  COALESCE(MAX(l.transactions), 0) AS largest
FROM (
  SELECT
    c.round AS round,
    c.part AS part,
    COUNT(DISTINCT c.tid) AS transactions
  FROM closed AS c
  GROUP BY
    c.round,
    c.part
) AS l;
