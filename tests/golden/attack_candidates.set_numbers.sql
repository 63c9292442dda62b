-- mined_set_number: the itemsets, as numbers
SELECT
  s.id AS id,
  s.size AS size,
  s.nano AS nano
FROM mined_set AS s
ORDER BY
  id;
