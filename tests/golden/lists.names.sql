-- public_name: the public items by name, for the checker
SELECT
  CAST(i.name AS TEXT) AS name
FROM item AS i
JOIN public_item AS r
  ON r.item = i.item;
