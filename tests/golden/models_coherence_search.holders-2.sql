SELECT
  c.id AS id,
  h.tid AS tid
FROM (
  SELECT
    CAST(item AS BIGINT) AS id,
    tid
  FROM extension
) AS h
JOIN extension AS x
  ON x.tid = h.tid
JOIN counted_2 AS c
  ON c.parent = h.id AND c.item_2 = x.item
WHERE
  c.support >= 20;
