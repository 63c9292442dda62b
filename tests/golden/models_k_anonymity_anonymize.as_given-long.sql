-- release: it is as it should be already
SELECT DISTINCT
  s."basket no" AS "basket no",
  s."sku" AS "sku",
  s."level" AS "level",
  CAST(s."level" AS BIGINT) * (
    SELECT
      COUNT(*) AS n
    FROM label AS c
  ) + l.item AS "number"
FROM source AS s
JOIN label AS l
  ON l.name = s."sku"
WHERE
  NOT s."basket no" IS NULL AND NOT s."sku" IS NULL;
