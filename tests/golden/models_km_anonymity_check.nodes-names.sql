-- check_node: what is published
SELECT
  CAST(DENSE_RANK() OVER (ORDER BY d.level, d.name) - 1 AS BIGINT) AS node,
  d.level AS level,
  d.name AS name
FROM (
  SELECT DISTINCT
    CAST(0 AS INT) AS level,
    CAST(c.name AS TEXT) AS name
  FROM (
    SELECT
      r."basket no" AS key,
      r."sku" AS name,
      r."level" AS level
    FROM release AS r
  ) AS c
  WHERE
    NOT c.name IS NULL
) AS d;
