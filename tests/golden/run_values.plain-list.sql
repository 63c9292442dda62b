SELECT
  CASE
    WHEN NOT "sku" IS NULL
    THEN LIST_TRANSFORM(
      LIST_ZIP("sku"),
      LAMBDA element : CASE WHEN ABS(element[1]) = element[1] THEN ABS(element[1]) ELSE element[1] END
    )
  END AS "sku"
FROM t;
