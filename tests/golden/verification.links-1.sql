-- check_link_1: what each set is without one of its items
SELECT
  id AS id,
  parent AS subset
FROM check_set_1;
