-- put_back: transactions by the ids that they had
SELECT
  k.id AS "basket no",
  s."sku" AS "sku",
  s."o'brien" AS "o'brien"
FROM source AS s
LEFT JOIN number_key AS k
  ON k.number = CAST(s."basket no" AS TEXT);
