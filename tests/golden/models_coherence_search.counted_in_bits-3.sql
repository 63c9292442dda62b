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
    id,
    CAST(SUM(BIT_COUNT(bits)) AS BIGINT) AS support
  FROM posting_3
  GROUP BY
    id
  HAVING
    SUM(BIT_COUNT(bits)) > 0
) AS n
  ON n.id = c.id
ORDER BY
  id;
