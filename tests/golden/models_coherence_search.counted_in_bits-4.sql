-- counted_4: support, from the bits
SELECT
  c.id AS id,
  c.parent AS parent,
  c.sibling AS sibling,
  n.support AS support,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3,
  c.item_4 AS item_4
FROM candidate_4 AS c
JOIN (
  SELECT
    id,
    CAST(SUM(BIT_COUNT(bits)) AS BIGINT) AS support
  FROM posting_4
  GROUP BY
    id
  HAVING
    SUM(BIT_COUNT(bits)) > 0
) AS n
  ON n.id = c.id
ORDER BY
  id;
