-- counted_3: support, from the bits
SELECT
  c.id AS id,
  c.parent AS parent,
  c.sibling AS sibling,
  n.support AS support,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3
FROM candidate_3 AS c
JOIN (
  SELECT
    c.id AS id,
    CAST(SUM(BIT_COUNT(a.bits & b.bits)) AS BIGINT) AS support
  FROM candidate_3 AS c
  JOIN posting_2 AS a
    ON a.id = c.parent
  JOIN posting_1 AS b
    ON b.id = c.item_3 AND b.block = a.block
  GROUP BY
    c.id
  HAVING
    SUM(BIT_COUNT(a.bits & b.bits)) > 0
) AS n
  ON n.id = c.id
ORDER BY
  id;
