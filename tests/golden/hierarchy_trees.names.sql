-- names: what is to have a place
SELECT
  CAST(i.name AS TEXT) AS name
FROM item AS i
ORDER BY
  i.item;
