SELECT
  c.id AS id,
  h.tid AS tid
FROM cohort_3 AS h
JOIN extension AS x
  ON x.tid = h.tid
JOIN counted_4 AS c
  ON c.parent = h.id AND c.item_4 = x.item
WHERE
  c.support >= 20;
