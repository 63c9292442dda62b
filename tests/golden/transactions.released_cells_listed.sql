-- release_cell: what a reader of the release sees
SELECT
  r."basket no" AS key,
  UNNEST(r."sku") AS name
FROM release AS r
UNION ALL
SELECT
  r."basket no" AS key,
  NULL AS name
FROM release AS r
WHERE
  COALESCE(LENGTH(r."sku"), 0) = 0;
