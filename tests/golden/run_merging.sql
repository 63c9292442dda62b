-- contradictions
-- contradictions: counts rows that differ from the first row of their transaction in a carried column
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

-- merged
-- merged: each row is a transaction: rows that repeat its id are merged
SELECT
  f."basket no" AS "basket no",
  COALESCE(h.held, []) AS "sku",
  f."o'brien" AS "o'brien",
  f."line" AS "line"
FROM source AS f
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
  ON m.line = f."line"
LEFT JOIN (
  SELECT
    u.key AS key,
    ARRAY_AGG(u.name ORDER BY u.name) AS held
  FROM (
    SELECT DISTINCT
      c.key AS key,
      c.name AS name
    FROM source_cell AS c
    WHERE
      NOT c.name IS NULL
  ) AS u
  GROUP BY
    u.key
) AS h
  ON h.key = m.key;
