-- fall: which node can take the place of which, and what it saves
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY p.up, p.down) - 1 AS INT) AS id,
  p.up AS up,
  p.down AS down,
  p.gain AS gain
FROM (
  SELECT
    a.branch AS up,
    b.branch AS down,
    MAX(x.leaves - y.leaves) AS gain
  FROM descent AS a
  JOIN descent AS b
    ON b.item = a.item
  JOIN branch AS x
    ON x.branch = a.branch
  JOIN branch AS y
    ON y.branch = b.branch
  WHERE
    x.leaves > y.leaves
  GROUP BY
    a.branch,
    b.branch
  UNION ALL
  SELECT
    a.branch AS up,
    -1 - a.item AS down,
    x.leaves AS gain
  FROM descent AS a
  JOIN branch AS x
    ON x.branch = a.branch
) AS p;
