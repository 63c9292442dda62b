-- contradictions: rows of one transaction become one: they must not differ in what they carry
SELECT
  COUNT(CASE WHEN s."o'brien" IS DISTINCT FROM f."o'brien" THEN 1 END) AS c0,
  COUNT(
    CASE WHEN CAST(s."map" AS TEXT) IS DISTINCT FROM CAST(f."map" AS TEXT) THEN 1 END
  ) AS c1
FROM source AS s
JOIN (
  SELECT
    t."basket no" AS key,
    MIN(t."line") AS line
  FROM source AS t
  WHERE
    NOT t."basket no" IS NULL AND NOT t."sku" IS NULL
  GROUP BY
    t."basket no"
) AS m
  ON m.key = s."basket no"
JOIN source AS f
  ON f."line" = m.line;
