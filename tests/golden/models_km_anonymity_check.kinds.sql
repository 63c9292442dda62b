-- check_kind: transactions that look the same
SELECT
  MIN(t.tid) AS tid,
  t.n AS n,
  COUNT(*) AS copies
FROM (
  SELECT
    h.tid AS tid,
    COUNT(*) AS n,
    LISTAGG(CAST(h.node AS TEXT), ' '
    ORDER BY
      h.node) AS nodes
  FROM check_held AS h
  GROUP BY
    h.tid
) AS t
GROUP BY
  t.nodes,
  t.n;
