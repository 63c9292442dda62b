-- guarded: transactions that keep sensitive items, or could
SELECT
  e.tid AS tid,
  CASE WHEN e.held <= 3 THEN e.held ELSE 3 END AS kept
FROM extent AS e
WHERE
  e.held > 1 AND e.known < e.held;
