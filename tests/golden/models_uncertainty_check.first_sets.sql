-- check_set_1: what is known by who knows one item
SELECT
  i.item AS id,
  0 AS parent,
  i.item AS item,
  i.support AS support
FROM check_item AS i;
