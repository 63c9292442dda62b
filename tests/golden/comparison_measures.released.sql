-- released: the release, in the numbers of the original
SELECT DISTINCT
  b.tid AS tid,
  l.item AS item
FROM (
  SELECT
    r.tid AS key,
    r.item AS name
  FROM release AS r
) AS c
JOIN basket AS b
  ON b.key = c.key
JOIN label AS l
  ON l.name = c.name
ORDER BY
  tid,
  item;
