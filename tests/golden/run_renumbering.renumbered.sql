SELECT
  n.number AS "basket no",
  r."sku" AS "sku",
  r."o'brien" AS "o'brien"
FROM release AS r
JOIN renumbered AS n
  ON n.id = r."basket no"
ORDER BY
  n.number,
  r."number",
  r."o'brien";
