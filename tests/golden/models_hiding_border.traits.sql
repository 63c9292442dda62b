-- trait: what transactions are judged by
SELECT
  s.tid AS tid,
  s.pattern AS trait
FROM sensitive AS s
UNION ALL
SELECT
  e.tid AS tid,
  6 + e.number AS trait
FROM exposed AS e
JOIN threat AS t
  ON t.number = e.number;
