-- check_growth_1: how much there is to look at next
SELECT
  CAST(COALESCE(SUM(g.rest), 0) AS BIGINT) AS rows
FROM check_growing_1 AS g;
