-- posting_4: who holds each itemset
SELECT
  c.id AS id,
  a.block AS block,
  a.bits & b.bits AS bits
FROM candidate_4 AS c
JOIN posting_3 AS a
  ON a.id = c.parent
JOIN posting_1 AS b
  ON b.id = c.item_4 AND b.block = a.block;
