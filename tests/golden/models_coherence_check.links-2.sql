-- check_link_2: what each set is without one of its items
SELECT
  id AS id,
  parent AS subset
FROM check_set_2
UNION ALL
SELECT
  s.id AS id,
  f.id AS subset
FROM check_set_2 AS s
JOIN check_fine_1 AS f
  ON f.item = s.item;
