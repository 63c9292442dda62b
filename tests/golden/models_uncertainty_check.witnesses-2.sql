-- check_witness_2: transactions that tell a secret by 2 items
SELECT
  g.id AS parent,
  t.item AS item,
  g.secret AS secret,
  g.tid AS tid,
  t.rest AS rest
FROM check_growing_1 AS g
JOIN check_told AS t
  ON t.tid = g.tid AND t.item > g.item AND t.item <> g.secret;
