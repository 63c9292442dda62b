-- mended: equal values that are written in two ways
SELECT
  COUNT(
    CASE
      WHEN CAST("sku" AS TEXT) <> CAST(CASE WHEN ABS("sku") = "sku" THEN ABS("sku") ELSE "sku" END AS TEXT)
      THEN 1
    END
  ) AS column_0
FROM t;
