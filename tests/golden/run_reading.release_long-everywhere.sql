-- release: the rows of the source whose item was not suppressed in their transaction
SELECT DISTINCT
  s."basket no" AS "basket no",
  s."sku" AS "sku",
  s."o'brien" AS "o'brien",
  l.item AS "number"
FROM source AS s
JOIN label AS l
  ON l.name = s."sku"
WHERE
  NOT s."basket no" IS NULL
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM suppressed_item AS d
    WHERE
      d.item = l.item
  );
