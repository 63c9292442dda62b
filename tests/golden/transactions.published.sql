SELECT
  "basket no",
  "sku",
  "o'brien"
FROM release
ORDER BY
  "basket no",
  "sku",
  "o'brien";
