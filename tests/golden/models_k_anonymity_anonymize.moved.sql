-- moved_2: every transaction goes to its bucket or the leftover
SELECT
  s.tid AS tid,
  s.branch AS branch,
  s.whole AS whole,
  CASE WHEN b.spare IS NULL OR NOT d.tid IS NULL THEN b.rest ELSE b.part END AS part,
  CASE WHEN b.spare IS NULL OR NOT d.tid IS NULL THEN 0 ELSE 1 END AS expanded
FROM split_2 AS s
JOIN bucket_2 AS b
  ON b.was = s.part AND b.branch = s.branch AND b.shape = s.shape
LEFT JOIN drawn_2 AS d
  ON d.tid = s.tid;
