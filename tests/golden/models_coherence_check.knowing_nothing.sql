-- check_nothing: what is inferred by who knows nothing
SELECT
  t.transactions AS transactions,
  x.hits AS hits
FROM (
  SELECT
    COUNT(*) AS transactions
  FROM check_key
) AS t
CROSS JOIN (
  SELECT
    COALESCE(MAX(n.hits), 0) AS hits
  FROM (
    SELECT
      CAST(SUM(BIT_COUNT(s.bits)) AS BIGINT) AS hits
    FROM check_secret AS s
    GROUP BY
      s.item
  ) AS n
) AS x;
