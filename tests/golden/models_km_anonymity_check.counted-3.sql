-- check_counted_3: who knows so much is to be among k
SELECT
  COUNT(*) AS checked,
  COUNT(CASE WHEN s.support < 20 THEN 1 END) AS found
FROM check_set_3 AS s;
