-- private_item: what is private stays so where it was not generalized
SELECT
  i.item AS item
FROM item AS i
JOIN run.main.item AS o
  ON CAST(i.name AS TEXT) = '0 ' || CAST(o.name AS TEXT)
JOIN run.main.private_item AS r
  ON r.item = o.item
ORDER BY
  item;
