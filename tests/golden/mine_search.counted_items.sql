-- found_1: the items that are frequent by themselves
SELECT
  CAST(o.item AS BIGINT) AS id,
  o.item AS item_1,
  COUNT(*) AS support
FROM occurrence AS o
GROUP BY
  o.item
HAVING
  COUNT(*) >= 20
ORDER BY
  id;
