-- found_prospects_2: how large the next level can be
SELECT
  CAST(COALESCE(SUM(held * (
    held - 1
  ) / 2), 0) AS BIGINT) AS meetings
FROM (
  SELECT
    spot,
    COUNT(*) AS held
  FROM found_cohort_1
  GROUP BY
    spot
) AS counted;
