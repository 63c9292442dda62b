-- check_witness_1: transactions that tell a secret by one item
SELECT
  0 AS parent,
  t.item AS item,
  s.item AS secret,
  t.tid AS tid,
  t.rest AS rest
FROM check_told AS t
JOIN check_secret AS s
  ON s.tid = t.tid AND s.item <> t.item;
