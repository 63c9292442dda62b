-- release_node: each element of a list is one item of its transaction
SELECT
  r."basket no" AS key,
  UNNEST(r."sku") AS name,
  UNNEST(r."levels") AS level
FROM release AS r
WHERE
  NOT r."sku" IS NULL
UNION ALL
SELECT
  r."basket no" AS key,
  NULL AS name,
  CAST(NULL AS INT) AS level
FROM release AS r
WHERE
  NOT r."basket no" IS NULL AND LENGTH(r."sku") = 0;
