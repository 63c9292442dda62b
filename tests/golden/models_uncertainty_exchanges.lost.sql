-- lost_0: what could return
SELECT
  g.tid AS tid,
  g.code AS code,
  g.round AS round
FROM gone AS g
JOIN guarded AS h
  ON h.tid = g.tid;
