-- exposed_2: the transactions that an attacker could single out
SELECT
  a.block AS block,
  BIT_OR(a.bits & b.bits) AS bits
FROM counted_2 AS c
JOIN posting_1 AS a
  ON a.id = c.parent
JOIN posting_1 AS b
  ON b.id = c.item_2 AND b.block = a.block
WHERE
  c.support < 20
GROUP BY
  a.block;
