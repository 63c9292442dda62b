-- cell: each element of a list is one item of its transaction
SELECT
  "basket no" AS key,
  UNNEST("sku") AS name
FROM source
UNION ALL
SELECT
  "basket no" AS key,
  NULL AS name
FROM source
WHERE
  NOT "basket no" IS NULL AND COALESCE(LENGTH("sku"), 0) = 0;
