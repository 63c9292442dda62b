-- check_lengths: what is too large is refused before it is made
SELECT
  counted.held AS held,
  COUNT(*) AS transactions
FROM (
  SELECT
    r.tid AS owner,
    COUNT(*) AS held
  FROM check_held AS r
  GROUP BY
    r.tid
) AS counted
GROUP BY
  counted.held
ORDER BY
  held;
