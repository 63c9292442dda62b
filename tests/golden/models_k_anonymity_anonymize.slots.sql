-- slot: a bit for each child
SELECT
  d.branch AS branch,
  d.child AS child,
  CAST(ROW_NUMBER() OVER (PARTITION BY d.branch ORDER BY d.child) - 1 AS INT) AS slot
FROM (
  SELECT DISTINCT
    branch,
    child
  FROM descent
) AS d;
