-- cell: each element of a list is one item of its transaction
SELECT
  s."basket no" AS key,
  UNNEST(s."sku") AS name
FROM source AS s
WHERE
  NOT s."sku" IS NULL
UNION ALL
SELECT
  s."basket no" AS key,
  NULL AS name
FROM source AS s
WHERE
  NOT s."basket no" IS NULL AND LENGTH(s."sku") = 0;
