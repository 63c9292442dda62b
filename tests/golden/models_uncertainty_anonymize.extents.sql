-- extent: a rule needs something known and something sensitive
SELECT
  o.tid AS tid,
  COUNT(*) AS held,
  COUNT(CASE WHEN o.code <= 40 THEN 1 END) AS known
FROM original AS o
GROUP BY
  o.tid;
