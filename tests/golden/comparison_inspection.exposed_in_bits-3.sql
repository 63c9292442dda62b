-- exposed_3: the transactions that an attacker could single out
SELECT
  a.block AS block,
  BIT_OR(a.bits & b.bits) AS bits
FROM counted_3 AS c
JOIN posting_2 AS a
  ON a.id = c.parent
JOIN posting_1 AS b
  ON b.id = c.item_3 AND b.block = a.block
WHERE
  c.support < 20
GROUP BY
  a.block;
