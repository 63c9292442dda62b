-- nulls: a row without a transaction or an item cannot be judged
SELECT
  COUNT(*) AS cells,
  COUNT(*) - COUNT("basket no") AS without_key,
  COUNT(*) - COUNT("sku") AS without_item
FROM source;
