-- check_sizes: whether single transactions or words of 63 are less work
WITH basket AS (
  SELECT
    COUNT(*) AS n
  FROM check_held
  WHERE
    private = 0 AND tid < 64512
  GROUP BY
    tid
), word AS (
  SELECT
    COUNT(DISTINCT item) AS n
  FROM check_held
  WHERE
    private = 0 AND tid < 64512
  GROUP BY
    tid - tid % 63
), single AS (
  SELECT
    CAST(COALESCE(SUM(b.n * (
      b.n - 1
    )), 0) AS BIGINT) AS pairs
  FROM basket AS b
), packed AS (
  SELECT
    CAST(COALESCE(SUM(w.n * (
      w.n - 1
    )), 0) AS BIGINT) AS pairs
  FROM word AS w
), unkeyed AS (
  SELECT
    COUNT(*) AS n
  FROM cells AS r
  WHERE
    r.key IS NULL
)
SELECT
  s.pairs AS single,
  p.pairs AS packed,
  u.n AS unkeyed
FROM single AS s
CROSS JOIN packed AS p
CROSS JOIN unkeyed AS u;
