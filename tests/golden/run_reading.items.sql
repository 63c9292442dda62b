-- item: the support of every item
SELECT
  l.item AS item,
  l.name AS name,
  n.support AS support
FROM label AS l
JOIN (
  SELECT
    item,
    COUNT(*) AS support
  FROM occurrence
  GROUP BY
    item
) AS n
  ON n.item = l.item
ORDER BY
  item;
