-- check_unfounded: nothing is made up
SELECT
  r.level AS level,
  r.name AS name,
  COUNT(*) AS cells,
  CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS found
FROM check_released AS r
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM check_match AS m
    WHERE
      m.key = r.key AND m.level = r.level AND m.label = r.name
  )
GROUP BY
  r.level,
  r.name
ORDER BY
  cells DESC,
  level,
  name
LIMIT 5;
