-- named: names for a message
SELECT
  name
FROM item
WHERE
  item IN (3, 5)
ORDER BY
  item;
