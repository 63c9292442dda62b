-- leftover: what has lost much is worth less (Definition 2)
SELECT
  c.code AS code,
  c.support AS support,
  c.support - COALESCE(g.gone, 0) AS remaining
FROM coded AS c
LEFT JOIN (
  SELECT
    d.code AS code,
    COUNT(*) AS gone
  FROM gone AS d
  GROUP BY
    d.code
) AS g
  ON g.code = c.code;
