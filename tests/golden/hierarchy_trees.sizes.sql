-- sizes: how tall and wide the tree is
SELECT
  n.level AS level,
  COUNT(*) AS nodes
FROM node AS n
GROUP BY
  n.level
ORDER BY
  level;
