-- fingerprint: what was read
SELECT
  f.held AS held,
  CAST(f.digest AS TEXT) AS digest
FROM (
  SELECT
    COUNT(*) AS held,
    COALESCE(
      SUM(
        CAST(MD5_NUMBER_LOWER(
          COALESCE(MD5(CAST("r"."basket no" AS TEXT)), '-') || COALESCE(MD5(CAST("r"."sku" AS TEXT)), '-') || COALESCE(MD5(CAST("r"."o'brien" AS TEXT)), '-')
        ) AS DECIMAL(38, 0))
      ),
      0
    ) AS digest
  FROM source AS r
) AS f;
