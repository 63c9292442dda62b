-- open_3: the partitions of the next round
SELECT
  o.tid AS tid,
  m.part AS part,
  o.branch AS branch,
  o.gain AS gain,
  o.shape AS shape
FROM open_2 AS o
JOIN moved_2 AS m
  ON m.tid = o.tid
WHERE
  m.whole = 0 AND o.branch <> m.branch
UNION ALL
SELECT
  h.tid AS tid,
  m.part AS part,
  h.branch AS branch,
  h.gain AS gain,
  h.shape AS shape
FROM held AS h
JOIN moved_2 AS m
  ON m.tid = h.tid AND m.branch = h.up
WHERE
  m.expanded = 1;
