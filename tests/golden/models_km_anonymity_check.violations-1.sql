-- check_violations_1: the worst of what is wrong
SELECT
  s.support AS support,
  c1.level AS level1,
  c1.name AS name1
FROM check_set_1 AS s
JOIN check_node AS c1
  ON c1.node = s.n1
WHERE
  s.support < 20
ORDER BY
  s.support,
  s.n1
LIMIT 10;
