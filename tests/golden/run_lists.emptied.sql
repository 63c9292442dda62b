-- emptied: what is left of the transactions
SELECT
  COUNT(*) AS emptied
FROM (
  SELECT
    o.tid AS tid
  FROM occurrence AS o
  LEFT JOIN suppressed_item AS s
    ON s.item = o.item
  GROUP BY
    o.tid
  HAVING
    COUNT(*) = COUNT(s.item)
) AS bare;
