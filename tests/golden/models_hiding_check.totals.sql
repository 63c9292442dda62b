-- check_totals: how much was changed, and how much without a reason
SELECT
  CAST(COALESCE(SUM(added), 0) AS BIGINT) AS added,
  CAST(COALESCE(SUM(removed), 0) AS BIGINT) AS removed,
  CAST(COALESCE(SUM(stray), 0) AS BIGINT) AS stray
FROM check_change;
