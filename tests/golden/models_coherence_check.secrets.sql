-- check_suspect_0: private items that could breach a set
SELECT
  0 AS id,
  x.item AS secret,
  CAST(SUM(BIT_COUNT(x.bits)) AS BIGINT) AS hits
FROM check_secret AS x
GROUP BY
  x.item
HAVING
  CAST(SUM(BIT_COUNT(x.bits)) AS BIGINT) * 5 > 40;
