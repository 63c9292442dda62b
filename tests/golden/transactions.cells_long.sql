-- cell: each row of the source is one item of one transaction
SELECT
  "basket no" AS key,
  "sku" AS name
FROM source;
