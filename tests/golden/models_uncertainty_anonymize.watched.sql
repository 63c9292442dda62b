-- watched: where something sensitive could be inferred
SELECT
  o.tid AS tid,
  o.part AS part,
  o.code AS code
FROM original AS o
JOIN guarded AS g
  ON g.tid = o.tid;
