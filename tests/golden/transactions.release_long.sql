-- release: the rows of the source whose item was not suppressed in their transaction
SELECT
  s."basket no" AS "basket no",
  s."sku" AS "sku",
  s."o'brien" AS "o'brien"
FROM source AS s
JOIN basket AS b
  ON b.key = s."basket no"
JOIN label AS l
  ON l.name = s."sku"
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM suppressed AS d
    WHERE
      d.tid = b.tid AND d.item = l.item
  );
