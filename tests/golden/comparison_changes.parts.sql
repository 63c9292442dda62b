-- private_item: items keep the parts that they have in the original
SELECT
  m.released AS item
FROM matched_item AS m
JOIN run.main.private_item AS r
  ON r.item = m.item
WHERE
  NOT m.released IS NULL
ORDER BY
  item;
