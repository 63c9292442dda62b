-- check_rows: nothing but the names has changed
SELECT
  COUNT(*) AS changed
FROM (
  (
    SELECT
      r."basket no" AS c0,
      r."o'brien" AS c1
    FROM source AS r
    WHERE
      NOT r."basket no" IS NULL AND NOT r."sku" IS NULL
    EXCEPT ALL
    SELECT
      r."basket no" AS c0,
      r."o'brien" AS c1
    FROM release AS r
  )
  UNION ALL
  (
    SELECT
      r."basket no" AS c0,
      r."o'brien" AS c1
    FROM release AS r
    EXCEPT ALL
    SELECT
      r."basket no" AS c0,
      r."o'brien" AS c1
    FROM source AS r
    WHERE
      NOT r."basket no" IS NULL AND NOT r."sku" IS NULL
  )
) AS d;
