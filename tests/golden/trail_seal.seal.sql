-- seal: nothing is released but what was checked
SELECT
  CAST(CASE
    WHEN f.held = 20 AND f.digest = 10000000000000000000000
    THEN '1'
    ELSE CAST(f.held AS TEXT) || ' rows are not those that were checked'
  END AS INT) AS intact
FROM fingerprint AS f
CROSS JOIN check_verdict AS v;
