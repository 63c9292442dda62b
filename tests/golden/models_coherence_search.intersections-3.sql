-- posting_3: who holds each itemset
SELECT
  c.id AS id,
  a.block AS block,
  a.bits & b.bits AS bits
FROM candidate_3 AS c
JOIN posting_2 AS a
  ON a.id = c.parent
JOIN posting_1 AS b
  ON b.id = c.item_3 AND b.block = a.block;
