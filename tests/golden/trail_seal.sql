-- fingerprint
-- fingerprint: counts the rows and sums a number made of each: equal rows give an equal digest
SELECT
  COUNT(*) AS held,
  COALESCE(
    SUM(
      CAST(MD5_NUMBER_LOWER(
        COALESCE(MD5(CAST(r."basket no" AS TEXT)), '-') || COALESCE(MD5(CAST(r."sku" AS TEXT)), '-') || COALESCE(MD5(CAST(r."o'brien" AS TEXT)), '-')
      ) AS DECIMAL(38, 0))
    ),
    0
  ) AS digest
FROM release AS r;

-- told
-- fingerprint: setveil reads the digest, to keep it in the trail
SELECT
  f.held AS held,
  CAST(f.digest AS TEXT) AS digest
FROM fingerprint AS f;

-- told_of
-- fingerprint: counts the rows that were read, with their digest, for the head of the trail
SELECT
  f.held AS held,
  CAST(f.digest AS TEXT) AS digest
FROM (
  SELECT
    COUNT(*) AS held,
    COALESCE(
      SUM(
        CAST(MD5_NUMBER_LOWER(
          COALESCE(MD5(CAST(r."basket no" AS TEXT)), '-') || COALESCE(MD5(CAST(r."sku" AS TEXT)), '-') || COALESCE(MD5(CAST(r."o'brien" AS TEXT)), '-')
        ) AS DECIMAL(38, 0))
      ),
      0
    ) AS digest
  FROM source AS r
) AS f;

-- seal
-- seal: fails unless the rows to be written are the rows that were checked
SELECT
  CAST(CASE
    WHEN f.held = 20 AND f.digest = 10000000000000000000000
    THEN '1'
    ELSE CAST(f.held AS TEXT) || ' rows are not those that were checked'
  END AS INT) AS intact
FROM fingerprint AS f
CROSS JOIN check_verdict AS v;

-- seal-unjudged
-- seal: fails unless the rows to be written are the rows that were checked
SELECT
  CAST(CASE
    WHEN f.held = 20 AND f.digest = 10000000000000000000000
    THEN '1'
    ELSE CAST(f.held AS TEXT) || ' rows are not those that were checked'
  END AS INT) AS intact
FROM fingerprint AS f;
