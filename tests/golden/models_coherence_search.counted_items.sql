-- counted_1: what an attacker can know of one item
SELECT
  CAST(i.item AS BIGINT) AS id,
  i.item AS item_1,
  i.support AS support
FROM item AS i
JOIN public_item AS r
  ON r.item = i.item
ORDER BY
  id;
