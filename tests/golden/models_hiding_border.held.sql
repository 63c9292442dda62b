-- held: the legitimate itemsets of sensitive transactions
SELECT
  o.tid AS tid,
  l.number AS number
FROM conflict AS c
JOIN occurrence AS o
  ON o.tid = c.tid
JOIN frequent_member AS m
  ON m.item = o.item
JOIN legitimate AS l
  ON l.itemset = m.itemset
GROUP BY
  o.tid,
  l.number,
  l.size
HAVING
  COUNT(*) = l.size;
