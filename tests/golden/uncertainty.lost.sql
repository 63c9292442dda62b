-- lost_0: what could return
SELECT
  g.tid AS tid,
  g.code AS code,
  g.round AS round
FROM gone AS g
JOIN arranged AS a
  ON a.tid = g.tid;
