-- check_counted_1: who knows so much is to be among k
SELECT
  COUNT(*) AS checked,
  COUNT(CASE WHEN s.support < 20 THEN 1 END) AS found
FROM check_set_1 AS s;
