SELECT
  r."basket no" AS key,
  r."sku" AS name
FROM source AS r;
