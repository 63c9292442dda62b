-- plain
SELECT
  CASE WHEN ABS("sku") = "sku" THEN ABS("sku") ELSE "sku" END AS "sku"
FROM t;

-- plain-list
SELECT
  CASE
    WHEN NOT "sku" IS NULL
    THEN LIST_TRANSFORM(
      LIST_ZIP("sku"),
      LAMBDA element : CASE WHEN ABS(element[1]) = element[1] THEN ABS(element[1]) ELSE element[1] END
    )
  END AS "sku"
FROM t;

-- trimmed
SELECT
  TRIM_SCALE("sku") AS "sku"
FROM t;

-- mended
-- mended: counts values that are read in another form, since equal values can look different
SELECT
  COUNT(
    CASE
      WHEN CAST("sku" AS TEXT) <> CAST(CASE WHEN ABS("sku") = "sku" THEN ABS("sku") ELSE "sku" END AS TEXT)
      THEN 1
    END
  ) AS column_0
FROM t;
