-- release: each item under the label of its node; what fell together is one
SELECT
  s."basket no" AS "basket no",
  COALESCE(k.labels, []) AS "sku",
  COALESCE(k.levels, []) AS "level",
  s."o'brien" AS "o'brien",
  s."setveil_line" AS "setveil_line"
FROM source AS s
LEFT JOIN (
  SELECT
    h.line AS line,
    ARRAY_AGG(n.label ORDER BY n.node) AS labels,
    ARRAY_AGG(n.level ORDER BY n.node) AS levels
  FROM (
    SELECT DISTINCT
      u.line AS line,
      r.node AS node
    FROM (
      SELECT
        t."setveil_line" AS line,
        b.tid AS tid,
        UNNEST(t."sku") AS name
      FROM source AS t
      JOIN basket AS b
        ON b.key = t."basket no"
    ) AS u
    JOIN label AS l
      ON l.name = u.name
    JOIN recoded AS r
      ON r.tid = u.tid AND r.item = l.item
  ) AS h
  JOIN node AS n
    ON n.node = h.node
  GROUP BY
    h.line
) AS k
  ON k.line = s."setveil_line"
WHERE
  NOT s."basket no" IS NULL AND NOT s."sku" IS NULL;
