-- picked_2: the branch whose expansion gains most
SELECT
  g.part AS part,
  g.branch AS branch,
  g.gain AS gain,
  CASE WHEN g.transactions < 40 THEN 1 ELSE 0 END AS whole
FROM (
  SELECT
    o.part AS part,
    o.branch AS branch,
    COUNT(*) AS transactions,
    CAST(SUM(o.gain) AS BIGINT) AS gain,
    ROW_NUMBER() OVER (PARTITION BY o.part ORDER BY CAST(SUM(o.gain) AS BIGINT) DESC, o.branch) AS place
  FROM open_2 AS o
  GROUP BY
    o.part,
    o.branch
) AS g
WHERE
  g.place = 1 OR g.transactions < 40;
