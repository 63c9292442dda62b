-- coded: sensitive items have the last codes, so they stand last
SELECT
  i.item AS item,
  i.support AS support,
  CASE WHEN r.item IS NULL THEN 0 ELSE 1 END AS sensitive,
  CAST(ROW_NUMBER() OVER (ORDER BY CASE WHEN r.item IS NULL THEN 0 ELSE 1 END, i.support, i.item) AS BIGINT) AS code
FROM item AS i
LEFT JOIN sensitive_item AS r
  ON r.item = i.item;
