-- check_meetings: what is too large is refused before it is made
SELECT
  CAST(COALESCE(MAX(q.rare), 0) * COALESCE(MAX(q.kinds), 0) AS BIGINT) AS pairs,
  CAST(COALESCE(SUM(n.own * n.held), 0) AS BIGINT) AS shared
FROM (
  SELECT
    h.node AS node,
    COUNT(*) AS held,
    COUNT(CASE WHEN r.copies < 20 THEN 1 END) AS own
  FROM check_held AS h
  JOIN check_kind AS r
    ON r.tid = h.tid
  GROUP BY
    h.node
) AS n
CROSS JOIN (
  SELECT
    COUNT(*) AS kinds,
    COUNT(CASE WHEN r.copies < 20 THEN 1 END) AS rare
  FROM check_kind AS r
) AS q;
