-- mined_member_number: the items of the itemsets, as numbers
SELECT
  c.id AS id,
  c.item AS item
FROM mined_member AS c
JOIN mined_set AS s
  ON s.id = c.id
ORDER BY
  id,
  item;
