-- check_uncovered: nothing is left out
SELECT
  o.name AS name,
  COUNT(*) AS cells,
  CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS found
FROM check_original AS o
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM check_match AS m
    WHERE
      m.key = o.key AND m.name = o.name
  )
GROUP BY
  o.name
ORDER BY
  cells DESC,
  name
LIMIT 5;
