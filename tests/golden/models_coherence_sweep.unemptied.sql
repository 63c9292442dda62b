-- unemptied: what is left of the transactions
SELECT
  COUNT(DISTINCT o.tid) AS transactions
FROM occurrence AS o
JOIN left_item AS l
  ON l.item = o.item;
