-- check_match: what stands for what
SELECT
  o.key AS key,
  o.name AS name,
  r.level AS level,
  r.name AS label
FROM check_original AS o
JOIN check_ancestor AS a
  ON a.name = o.name
JOIN check_released AS r
  ON r.key = o.key AND r.level = a.level AND r.name = a.label;
