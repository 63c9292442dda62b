-- release_cell: what a reader of the release sees
SELECT
  r."basket no" AS key,
  r."sku" AS name
FROM release AS r;
