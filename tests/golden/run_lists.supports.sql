-- supports: what the loss of an item costs
SELECT
  support
FROM item
ORDER BY
  item;
