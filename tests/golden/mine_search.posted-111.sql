-- found_posting_3: what larger itemsets are counted from
SELECT
  c.id AS id,
  a1.block AS block,
  a1.bits & a2.bits & a3.bits AS bits
FROM (
  SELECT
    CAST(c.item_1 AS BIGINT) AS part_1,
    CAST(c.item_2 AS BIGINT) AS part_2,
    CAST(c.item_3 AS BIGINT) AS part_3,
    c.id AS id
  FROM found_3 AS c
) AS c
JOIN found_posting_1 AS a1
  ON a1.id = c.part_1
JOIN found_posting_1 AS a2
  ON a2.id = c.part_2 AND a2.block = a1.block
JOIN found_posting_1 AS a3
  ON a3.id = c.part_3 AND a3.block = a1.block
WHERE
  BIT_COUNT(a1.bits & a2.bits & a3.bits) > 0;
