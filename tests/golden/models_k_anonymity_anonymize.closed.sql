-- closed: the branches that transactions stay generalized to
SELECT
  h.tid AS tid,
  h.branch AS branch,
  0 AS part,
  0 AS round
FROM held AS h
WHERE
  h.tid < 0;
