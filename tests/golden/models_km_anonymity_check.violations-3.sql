-- check_violations_3: the worst of what is wrong
SELECT
  s.support AS support,
  c1.level AS level1,
  c1.name AS name1,
  c2.level AS level2,
  c2.name AS name2,
  c3.level AS level3,
  c3.name AS name3
FROM check_set_3 AS s
JOIN check_node AS c1
  ON c1.node = s.n1
JOIN check_node AS c2
  ON c2.node = s.n2
JOIN check_node AS c3
  ON c3.node = s.n3
WHERE
  s.support < 20
ORDER BY
  s.support,
  s.n1,
  s.n2,
  s.n3
LIMIT 10;
