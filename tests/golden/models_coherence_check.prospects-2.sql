-- check_prospects_2: what is too large is refused before it is made
SELECT
  CAST(COALESCE(SUM(g.n * (
    g.n - 1
  ) / 2), 0) AS BIGINT) AS candidates
FROM (
  SELECT
    COUNT(*) AS n
  FROM check_fine_1 AS r
  GROUP BY
    r.parent
) AS g;
