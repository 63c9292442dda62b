-- density: decides how cohorts are kept: as lists or as bits
SELECT
  CAST(COALESCE(SUM(held), 0) AS BIGINT) AS occurrences,
  CAST(COALESCE(SUM(held * (
    held - 1
  ) / 2), 0) AS BIGINT) AS pairs
FROM (
  SELECT
    tid,
    COUNT(*) AS held
  FROM extension
  GROUP BY
    tid
) AS counted;
