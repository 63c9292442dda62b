-- check_original: what was there
SELECT DISTINCT
  CAST(c.key AS TEXT) AS key,
  CAST(c.name AS TEXT) AS name
FROM (
  SELECT
    r."basket no" AS key,
    r."sku" AS name,
    r."level" AS level
  FROM release AS r
) AS c
WHERE
  NOT c.name IS NULL AND NOT c.key IS NULL;
