-- release_cell: what a reader of the release sees
SELECT
  "basket no" AS key,
  "sku" AS name
FROM release;
