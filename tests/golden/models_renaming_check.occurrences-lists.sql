-- check_before: what the transactions hold
SELECT DISTINCT
  o.place AS place,
  o.name AS name
FROM (
  SELECT
    r."line" AS place,
    UNNEST(r."sku") AS name
  FROM source AS r
  WHERE
    NOT r."basket no" IS NULL
) AS o
WHERE
  NOT o.name IS NULL;
