-- threat_items: which victims hurt which itemset, and what it can bear
SELECT
  t.number AS number,
  t.slack AS slack,
  m.item AS item
FROM threat AS t
JOIN legitimate AS l
  ON l.number = t.number
JOIN frequent_member AS m
  ON m.itemset = l.itemset
JOIN (
  SELECT DISTINCT
    item
  FROM restricted
) AS r
  ON r.item = m.item
ORDER BY
  number,
  item;
