-- closed: the leftover keeps its cut
SELECT
  m.tid AS tid,
  m.branch AS branch,
  m.part AS part,
  2 AS round
FROM moved_2 AS m
WHERE
  m.expanded = 0;
