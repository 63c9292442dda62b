-- published_node: what stands in the place of items
SELECT
  b.tid AS tid,
  n.node AS node
FROM run.main.matched_basket AS b
JOIN run.main.occurrence AS o
  ON o.tid = b.released
JOIN run.main.item AS i
  ON i.item = o.item
JOIN node AS n
  ON CAST(n.level AS TEXT) || ' ' || n.label = CAST(i.name AS TEXT);
