-- ncp_by_level: what is lost per level
SELECT
  n.level AS level,
  COUNT(DISTINCT n.node) AS nodes,
  CAST(SUM(h.held) AS BIGINT) AS held,
  CAST(SUM(CASE WHEN n.leaves > 1 THEN h.held * n.leaves ELSE 0 END) AS BIGINT) AS cost
FROM (
  SELECT
    r.item AS item,
    r.node AS node,
    COUNT(*) AS held
  FROM recoded AS r
  GROUP BY
    r.item,
    r.node
) AS h
JOIN node AS n
  ON n.node = h.node
GROUP BY
  n.level
ORDER BY
  level;
