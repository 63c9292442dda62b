-- release: the lists of the source, each item by its code
SELECT
  s."basket no" AS "basket no",
  COALESCE(k.codes, []) AS "sku",
  s."o'brien" AS "o'brien",
  s."line" AS "line"
FROM source AS s
LEFT JOIN (
  SELECT
    u.line AS line,
    ARRAY_AGG(c.code ORDER BY c.number) AS codes
  FROM (
    SELECT DISTINCT
      t."line" AS line,
      UNNEST(t."sku") AS name
    FROM source AS t
  ) AS u
  JOIN label AS l
    ON l.name = u.name
  JOIN code AS c
    ON c.item = l.item
  GROUP BY
    u.line
) AS k
  ON k.line = s."line"
WHERE
  NOT s."basket no" IS NULL AND NOT s."sku" IS NULL;
