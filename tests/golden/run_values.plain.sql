SELECT
  CASE WHEN ABS("sku") = "sku" THEN ABS("sku") ELSE "sku" END AS "sku"
FROM t;
