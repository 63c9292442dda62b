-- histogram: how many items are rare, how many common
SELECT
  power AS at_least,
  COUNT(*) AS items,
  CAST(SUM(support) AS BIGINT) AS occurrences
FROM (
  SELECT
    support,
    CASE
      WHEN support < 10
      THEN 1
      WHEN support < 100
      THEN 10
      WHEN support < 1000
      THEN 100
      WHEN support < 10000
      THEN 1000
      WHEN support < 100000
      THEN 10000
      ELSE 100000
    END AS power
  FROM item
) AS sized
GROUP BY
  power
ORDER BY
  at_least;
