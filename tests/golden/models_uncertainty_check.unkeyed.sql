-- check_unkeyed: rows that belong to no transaction
SELECT
  COUNT(*) AS unkeyed
FROM cells AS r
WHERE
  r.key IS NULL;
