-- extension: the items that larger itemsets are made of
SELECT
  o.tid AS tid,
  o.item AS item
FROM occurrence AS o
JOIN judged_1 AS j
  ON j.id = o.item
WHERE
  j.verdict = 0;
