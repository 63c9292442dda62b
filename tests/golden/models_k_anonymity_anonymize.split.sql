-- split_2: the transactions, beside what they show when expanded
SELECT
  o.tid AS tid,
  o.part AS part,
  o.branch AS branch,
  o.gain AS gain,
  o.shape AS shape,
  p.whole AS whole
FROM open_2 AS o
JOIN picked_2 AS p
  ON p.part = o.part AND p.branch = o.branch;
