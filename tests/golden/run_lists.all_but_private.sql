-- public_item: what is not private can be known
SELECT
  i.item AS item
FROM item AS i
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM private_item AS r
    WHERE
      r.item = i.item
  )
ORDER BY
  item;
