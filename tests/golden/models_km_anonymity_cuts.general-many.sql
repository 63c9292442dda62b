-- general_3: the transactions as they would be published
SELECT
  h.tid AS tid,
  h.node AS node,
  1 AS weight
FROM (
  SELECT DISTINCT
    o.tid AS tid,
    r.node AS node
  FROM occurrence AS o
  JOIN recoded_3 AS r
    ON r.item = o.item
) AS h;
