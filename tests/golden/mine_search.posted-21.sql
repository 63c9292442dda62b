-- found_posting_3: what larger itemsets are counted from
SELECT
  c.id AS id,
  a1.block AS block,
  a1.bits & a2.bits AS bits
FROM (
  SELECT
    s1.id AS part_1,
    CAST(c.item_3 AS BIGINT) AS part_2,
    c.id AS id
  FROM found_3 AS c
  JOIN found_2 AS s1
    ON s1.item_1 = c.item_1 AND s1.item_2 = c.item_2
) AS c
JOIN found_posting_2 AS a1
  ON a1.id = c.part_1
JOIN found_posting_1 AS a2
  ON a2.id = c.part_2 AND a2.block = a1.block
WHERE
  BIT_COUNT(a1.bits & a2.bits) > 0;
