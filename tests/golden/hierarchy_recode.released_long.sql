-- release: each item under the label of its node; what fell together is one
SELECT
  b.key AS "basket no",
  n.label AS "sku",
  n.level AS "level",
  h.node AS "setveil_item"
FROM (
  SELECT DISTINCT
    r.tid AS tid,
    r.node AS node
  FROM (
    SELECT
      r.tid AS tid,
      r.item AS item,
      r.node AS node
    FROM recoded AS r
  ) AS r
) AS h
JOIN basket AS b
  ON b.tid = h.tid
JOIN node AS n
  ON n.node = h.node;
