-- costs: the one that loses less is released
SELECT
  r.cost AS refined,
  g.cost AS greedy
FROM (
  SELECT
    CAST(COALESCE(SUM(b.leaves), 0) AS BIGINT) AS cost
  FROM settled AS s
  JOIN branch AS b
    ON b.branch = s.branch
) AS r
CROSS JOIN (
  SELECT
    CAST(COALESCE(SUM(b.leaves), 0) AS BIGINT) AS cost
  FROM closed AS c
  JOIN occurrence AS o
    ON o.tid = c.tid
  JOIN descent AS d
    ON d.item = o.item AND d.branch = c.branch
  JOIN branch AS b
    ON b.branch = c.branch
) AS g;
