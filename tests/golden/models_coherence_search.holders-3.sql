SELECT
  c.id AS id,
  h.tid AS tid
FROM cohort_2 AS h
JOIN extension AS x
  ON x.tid = h.tid
JOIN counted_3 AS c
  ON c.parent = h.id AND c.item_3 = x.item
WHERE
  c.support >= 20;
