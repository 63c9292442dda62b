-- names: names that look like one that the data lacks
SELECT
  CAST(i.name AS TEXT) AS name
FROM item AS i
ORDER BY
  i.item;
