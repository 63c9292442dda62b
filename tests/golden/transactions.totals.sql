-- totals: the size of the data
SELECT
  (
    SELECT
      COUNT(*)
    FROM basket
  ) AS transactions,
  COUNT(*) AS items,
  CAST(COALESCE(SUM(support), 0) AS BIGINT) AS occurrences
FROM item;
