-- leftover: what has lost much is worth less (Definition 2)
SELECT
  c.code AS code,
  c.support AS support,
  c.support - COALESCE(g.gone, 0) AS remaining,
  a.support AS all_support,
  a.support - n.gone AS all_remaining
FROM coded AS c
CROSS JOIN (
  SELECT
    CAST(SUM(i.support) AS BIGINT) AS support
  FROM coded AS i
) AS a
CROSS JOIN (
  SELECT
    COUNT(*) AS gone
  FROM gone AS h
) AS n
LEFT JOIN (
  SELECT
    d.code AS code,
    COUNT(*) AS gone
  FROM gone AS d
  GROUP BY
    d.code
) AS g
  ON g.code = c.code;
