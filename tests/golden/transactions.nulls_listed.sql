-- nulls: a row without a transaction or an item cannot be judged
SELECT
  CAST(COALESCE(SUM(LENGTH("sku")), 0) AS BIGINT) AS cells,
  COUNT(*) - COUNT("basket no") AS without_key,
  CAST(COALESCE(SUM(LENGTH("sku") - LIST_COUNT("sku")), 0) AS BIGINT) AS without_item
FROM source;
