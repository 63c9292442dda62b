-- prospects_3: what is too large is refused before it is made
SELECT
  CAST(COALESCE(SUM(g.n * (
    g.n - 1
  ) / 2), 0) AS BIGINT) AS candidates
FROM (
  SELECT
    COUNT(*) AS n
  FROM judged_2 AS r
  WHERE
    r.verdict = 0
  GROUP BY
    r.item_1
) AS g;
