-- release: the rows of the source, each item by its code
SELECT DISTINCT
  s."basket no" AS "basket no",
  c.code AS "sku",
  s."o'brien" AS "o'brien",
  c.number AS "number"
FROM source AS s
JOIN label AS l
  ON l.name = s."sku"
JOIN code AS c
  ON c.item = l.item
WHERE
  NOT s."basket no" IS NULL;
