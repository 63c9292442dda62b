-- check_twin_2: the sums agreed and the nodes did not
SELECT
  t.tid AS tid,
  t.size AS size,
  MIN(t.tid) OVER (PARTITION BY t.first, CASE WHEN u.tid IS NULL THEN 0 ELSE 1 END) AS first
FROM check_twin_1 AS t
LEFT JOIN check_unlike_1 AS u
  ON u.tid = t.tid;
