-- release_cell: what a reader of the release sees
SELECT
  "basket no" AS key,
  UNNEST("sku") AS name
FROM release
UNION ALL
SELECT
  "basket no" AS key,
  NULL AS name
FROM release
WHERE
  COALESCE(LENGTH("sku"), 0) = 0;
