-- release: the lists of the source without what was suppressed
SELECT
  s."basket no" AS "basket no",
  COALESCE(k.kept, []) AS "sku",
  s."o'brien" AS "o'brien",
  s."line" AS "line"
FROM source AS s
LEFT JOIN (
  SELECT
    u.line AS line,
    ARRAY_AGG(u.name ORDER BY u.name) AS kept
  FROM (
    SELECT DISTINCT
      t."line" AS line,
      b.tid AS tid,
      UNNEST(t."sku") AS name
    FROM source AS t
    JOIN basket AS b
      ON b.key = t."basket no"
  ) AS u
  JOIN label AS l
    ON l.name = u.name
  WHERE
    NOT EXISTS(
      SELECT
        1 AS one
      FROM suppressed_item AS d
      WHERE
        d.item = l.item
    )
  GROUP BY
    u.line
) AS k
  ON k.line = s."line"
WHERE
  NOT s."basket no" IS NULL AND NOT s."sku" IS NULL;
