-- named: names for a message
SELECT
  CAST(name AS TEXT) AS name
FROM item
WHERE
  item IN (3, 5)
ORDER BY
  item;
