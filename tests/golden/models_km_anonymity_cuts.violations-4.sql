-- violations_3_4: what sets of 4 nodes fewer than k transactions hold: their parents
SELECT DISTINCT
  a1.parent AS p1,
  a2.parent AS p2,
  a3.parent AS p3,
  a4.parent AS p4
FROM (
  SELECT
    g1.node AS n1,
    g2.node AS n2,
    g3.node AS n3,
    g4.node AS n4
  FROM general_3 AS g1
  JOIN general_3 AS g2
    ON g2.tid = g1.tid AND g1.node < g2.node
  JOIN general_3 AS g3
    ON g3.tid = g1.tid AND g2.node < g3.node
  JOIN general_3 AS g4
    ON g4.tid = g1.tid AND g3.node < g4.node
  GROUP BY
    g1.node,
    g2.node,
    g3.node,
    g4.node
  HAVING
    SUM(g1.weight) < 20
) AS v
JOIN node AS a1
  ON a1.node = v.n1
JOIN node AS a2
  ON a2.node = v.n2
JOIN node AS a3
  ON a3.node = v.n3
JOIN node AS a4
  ON a4.node = v.n4
ORDER BY
  p1,
  p2,
  p3,
  p4
LIMIT 100;
