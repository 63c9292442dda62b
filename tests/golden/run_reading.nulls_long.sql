-- nulls: a row without a transaction or an item cannot be judged
SELECT
  COUNT(CASE WHEN NOT s."basket no" IS NULL AND NOT s."sku" IS NULL THEN 1 END) AS cells,
  COUNT(*) - COUNT(s."basket no") AS without_key,
  COUNT(*) - COUNT(s."sku") AS without_item,
  COUNT(CASE WHEN s."basket no" IS NULL OR s."sku" IS NULL THEN 1 END) AS dropped
FROM source AS s;
