-- check_held: which transaction holds which node, in numbers
SELECT DISTINCT
  k.tid AS tid,
  n.node AS node
FROM cells AS r
JOIN check_key AS k
  ON k.key = r.key
JOIN check_node AS n
  ON n.label = CAST(r.name AS TEXT) AND n.level = COALESCE(CAST(0 AS INT), -1);
