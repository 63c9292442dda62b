SELECT
  CAST(i.name AS TEXT) AS label,
  0 AS private
FROM item AS i
JOIN public_item AS r
  ON r.item = i.item
UNION
SELECT
  CAST(i.name AS TEXT) AS label,
  1 AS private
FROM item AS i
JOIN private_item AS r
  ON r.item = i.item;
