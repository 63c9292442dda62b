-- check_whole: the worst of what is wrong
SELECT
  v.place AS place,
  v.support AS support,
  c.level AS level,
  c.name AS name
FROM (
  SELECT
    s.tid AS tid,
    s.support AS support,
    ROW_NUMBER() OVER (ORDER BY s.n, s.support, s.tid) AS place
  FROM check_set_0 AS s
  WHERE
    s.support < 20
) AS v
JOIN check_held AS h
  ON h.tid = v.tid
JOIN check_node AS c
  ON c.node = h.node
WHERE
  v.place <= 10
ORDER BY
  place,
  level,
  name;
