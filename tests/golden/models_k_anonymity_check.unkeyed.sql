-- check_unkeyed: every row is somebody's
SELECT
  COUNT(*) AS unkeyed
FROM cells AS r
WHERE
  r.key IS NULL;
