SELECT
  TRIM_SCALE("sku") AS "sku"
FROM t;
