-- settled: the occurrences that stay generalized, and to what
SELECT
  o.tid AS tid,
  o.item AS item,
  0 AS branch
FROM occurrence AS o
WHERE
  o.tid < 0;
