-- check_set_3: all that knowing 3 nodes can fit
SELECT
  h1.node AS n1,
  h2.node AS n2,
  h3.node AS n3,
  COUNT(*) AS support
FROM check_held AS h1
JOIN check_held AS h2
  ON h2.tid = h1.tid AND h2.node > h1.node
JOIN check_held AS h3
  ON h3.tid = h1.tid AND h3.node > h2.node
GROUP BY
  h1.node,
  h2.node,
  h3.node;
