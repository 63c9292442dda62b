-- open_1: everything generalized to the root
SELECT
  h.tid AS tid,
  0 AS part,
  h.branch AS branch,
  h.gain AS gain,
  h.shape AS shape
FROM held AS h
WHERE
  h.up IS NULL;
