-- release: it is as it should be already
SELECT
  s."basket no" AS "basket no",
  s."sku" AS "sku",
  s."level" AS "level",
  s."line" AS "line"
FROM source AS s
WHERE
  NOT s."basket no" IS NULL AND NOT s."sku" IS NULL;
