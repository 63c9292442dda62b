-- violations_3_2: what sets of 2 nodes fewer than k transactions hold: their parents
SELECT DISTINCT
  a1.parent AS p1,
  a2.parent AS p2
FROM (
  SELECT
    g1.node AS n1,
    g2.node AS n2
  FROM general_3 AS g1
  JOIN general_3 AS g2
    ON g2.tid = g1.tid AND g1.node < g2.node
  GROUP BY
    g1.node,
    g2.node
  HAVING
    SUM(g1.weight) < 20
) AS v
JOIN node AS a1
  ON a1.node = v.n1
JOIN node AS a2
  ON a2.node = v.n2
ORDER BY
  p1,
  p2
LIMIT 100;
