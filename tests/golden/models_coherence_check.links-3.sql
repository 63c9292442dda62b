-- check_link_3: what each set is without one of its items
SELECT
  id AS id,
  parent AS subset
FROM check_set_3
UNION ALL
SELECT
  s.id AS id,
  f.id AS subset
FROM check_set_3 AS s
JOIN check_link_2 AS l
  ON l.id = s.parent
JOIN check_fine_2 AS f
  ON f.parent = l.subset AND f.item = s.item;
