-- guarded: transactions that keep sensitive items, for now
SELECT
  e.tid AS tid,
  e.held AS kept
FROM extent AS e
WHERE
  e.held > 1 AND e.known < e.held AND e.held <= 3;
