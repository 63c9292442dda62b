-- check_rows: nothing but the names has changed
SELECT
  COUNT(*) AS changed
FROM (
  (
    SELECT
      r."basket no" AS c0,
      p.code AS c1,
      r."o'brien" AS c2
    FROM source AS r
    JOIN pairs AS p
      ON p.name = r."sku"
    WHERE
      NOT r."basket no" IS NULL
    EXCEPT ALL
    SELECT
      r."basket no" AS c0,
      r."sku" AS c1,
      r."o'brien" AS c2
    FROM release AS r
  )
  UNION ALL
  (
    SELECT
      r."basket no" AS c0,
      r."sku" AS c1,
      r."o'brien" AS c2
    FROM release AS r
    EXCEPT ALL
    SELECT
      r."basket no" AS c0,
      p.code AS c1,
      r."o'brien" AS c2
    FROM source AS r
    JOIN pairs AS p
      ON p.name = r."sku"
    WHERE
      NOT r."basket no" IS NULL
  )
) AS d;
