-- found_3: support, from the bits
SELECT
  c.id AS id,
  m.support AS support,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3
FROM (
  SELECT
    c.id AS id,
    CAST(SUM(BIT_COUNT(a1.bits & a2.bits)) AS BIGINT) AS support
  FROM found_candidate_3 AS c
  JOIN found_posting_2 AS a1
    ON a1.id = c.part_1
  JOIN found_posting_1 AS a2
    ON a2.id = c.part_2 AND a2.block = a1.block
  GROUP BY
    c.id
  HAVING
    SUM(BIT_COUNT(a1.bits & a2.bits)) >= 20
) AS m
JOIN found_candidate_3 AS c
  ON c.id = m.id
ORDER BY
  id;
