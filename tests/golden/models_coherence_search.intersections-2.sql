-- posting_2: who holds each itemset
SELECT
  c.id AS id,
  a.block AS block,
  a.bits & b.bits AS bits
FROM candidate_2 AS c
JOIN posting_1 AS a
  ON a.id = c.parent
JOIN posting_1 AS b
  ON b.id = c.item_2 AND b.block = a.block;
