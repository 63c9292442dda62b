-- suppressed: what the release leaves out
SELECT
  n.tid AS tid,
  l.item AS item,
  1 AS round
FROM (
  SELECT
    k.tid AS tid,
    k.kind AS kind,
    ROW_NUMBER() OVER (PARTITION BY k.kind ORDER BY b.key) AS place
  FROM kind AS k
  JOIN basket AS b
    ON b.tid = k.tid
) AS n
JOIN loss AS l
  ON l.kind = n.kind AND n.place > l.above AND n.place <= l.upto;
