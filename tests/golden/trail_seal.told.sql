-- fingerprint: kept in the trail
SELECT
  f.held AS held,
  CAST(f.digest AS TEXT) AS digest
FROM fingerprint AS f;
