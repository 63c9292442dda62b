-- check_unlike_1: twins are compared node by node
SELECT
  t.tid AS tid
FROM check_twin_1 AS t
JOIN check_held AS h
  ON h.tid = t.tid
LEFT JOIN check_held AS f
  ON f.tid = t.first AND f.node = h.node
GROUP BY
  t.tid
HAVING
  COUNT(f.node) < COUNT(*);
