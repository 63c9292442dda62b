-- found_posting_2: what larger itemsets are counted from
SELECT
  c.id AS id,
  a1.block AS block,
  a1.bits & a2.bits AS bits
FROM (
  SELECT
    CAST(c.item_1 AS BIGINT) AS part_1,
    CAST(c.item_2 AS BIGINT) AS part_2,
    c.id AS id
  FROM found_2 AS c
) AS c
JOIN found_posting_1 AS a1
  ON a1.id = c.part_1
JOIN found_posting_1 AS a2
  ON a2.id = c.part_2 AND a2.block = a1.block
WHERE
  BIT_COUNT(a1.bits & a2.bits) > 0;
