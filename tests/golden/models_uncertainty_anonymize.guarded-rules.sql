-- guarded: transactions that keep sensitive items, or could
SELECT
  e.tid AS tid,
  CASE
    WHEN e.held <= 3
    THEN e.held
    WHEN e.known * 2 < e.held AND e.known * 2 <= 3
    THEN 3
    ELSE e.known
  END AS kept
FROM extent AS e
WHERE
  e.held > 1
  AND e.known < e.held
  AND CASE WHEN e.held <= 3 THEN 0 ELSE e.known END < 3;
