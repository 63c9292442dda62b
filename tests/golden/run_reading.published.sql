SELECT
  r."basket no" AS "basket no",
  r."sku" AS "sku",
  r."o'brien" AS "o'brien"
FROM release AS r
ORDER BY
  r."basket no",
  r."sku",
  r."o'brien";
