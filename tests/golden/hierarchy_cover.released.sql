-- check_released: what is published of whom
SELECT DISTINCT
  CAST(c.key AS TEXT) AS key,
  CAST(c.name AS TEXT) AS name,
  CAST(c.level AS INT) AS level
FROM (
  SELECT
    r."basket no" AS key,
    r."sku" AS name,
    r."level" AS level
  FROM release AS r
) AS c
WHERE
  NOT c.name IS NULL;
