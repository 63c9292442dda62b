-- suppressed: what the release leaves out
SELECT DISTINCT
  s.tid AS tid,
  v.item AS item,
  1 AS round
FROM sanitized AS s
JOIN victim AS v
  ON v.pattern = s.pattern;
