-- check_set_1: all that knowing 1 nodes can fit
SELECT
  h1.node AS n1,
  COUNT(*) AS support
FROM check_held AS h1
GROUP BY
  h1.node;
