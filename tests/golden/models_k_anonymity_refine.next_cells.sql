-- cell_3: the partitions of the next round
SELECT
  g.tid AS tid,
  g.item AS item,
  g.part AS part,
  g.branch AS branch
FROM (
  SELECT
    c.tid AS tid,
    c.item AS item,
    h.part AS part,
    CASE WHEN f.item IS NULL THEN c.branch ELSE f.down END AS branch
  FROM cell_2 AS c
  JOIN heir_2 AS h
    ON h.tid = c.tid
  LEFT JOIN fall_of AS f
    ON f.id = h.fall AND f.item = c.item AND f.up = c.branch
) AS g
WHERE
  g.branch >= 0;
