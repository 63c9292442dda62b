-- found_posting_5: what larger itemsets are counted from
SELECT
  c.id AS id,
  a1.block AS block,
  a1.bits & a2.bits AS bits
FROM (
  SELECT
    s1.id AS part_1,
    s2.id AS part_2,
    c.id AS id
  FROM found_5 AS c
  JOIN found_3 AS s1
    ON s1.item_1 = c.item_1 AND s1.item_2 = c.item_2 AND s1.item_3 = c.item_3
  JOIN found_2 AS s2
    ON s2.item_1 = c.item_4 AND s2.item_2 = c.item_5
) AS c
JOIN found_posting_3 AS a1
  ON a1.id = c.part_1
JOIN found_posting_2 AS a2
  ON a2.id = c.part_2 AND a2.block = a1.block
WHERE
  BIT_COUNT(a1.bits & a2.bits) > 0;
