-- nulls: a row without a transaction or an item cannot be judged
SELECT
  CAST(COALESCE(SUM(CASE WHEN NOT s."basket no" IS NULL THEN LIST_COUNT(s."sku") END), 0) AS BIGINT) AS cells,
  COUNT(*) - COUNT(s."basket no") AS without_key,
  CAST(COALESCE(
    SUM(CASE WHEN s."sku" IS NULL THEN 1 ELSE LENGTH(s."sku") - LIST_COUNT(s."sku") END),
    0
  ) AS BIGINT) AS without_item,
  CAST(COALESCE(
    SUM(
      CASE
        WHEN s."basket no" IS NULL OR s."sku" IS NULL
        THEN 1
        ELSE LENGTH(s."sku") - LIST_COUNT(s."sku")
      END
    ),
    0
  ) AS BIGINT) AS dropped,
  COUNT(CASE WHEN NOT s."basket no" IS NULL AND NOT s."sku" IS NULL THEN 1 END) AS whole
FROM source AS s;
