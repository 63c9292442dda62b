-- density: decides how cohorts are kept, as lists or as bits, and what is too large to begin
SELECT
  counted.held AS held,
  COUNT(*) AS transactions
FROM (
  SELECT
    r.tid AS owner,
    COUNT(*) AS held
  FROM extension AS r
  GROUP BY
    r.tid
) AS counted
GROUP BY
  counted.held
ORDER BY
  held;
