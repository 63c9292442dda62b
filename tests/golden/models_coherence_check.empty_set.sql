-- check_set_0: the empty itemset, held by all
SELECT
  0 AS id,
  0 AS parent,
  -1 AS item,
  COUNT(*) AS support
FROM check_key
HAVING
  COUNT(*) > 0;
