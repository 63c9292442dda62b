-- cell: each row of the source is one item of one transaction
SELECT
  s."basket no" AS key,
  s."sku" AS name
FROM source AS s;
