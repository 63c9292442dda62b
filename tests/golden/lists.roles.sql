-- roles: who plays which part
SELECT
  (
    SELECT
      COUNT(*)
    FROM private_item
  ) AS private_items,
  (
    SELECT
      COUNT(*)
    FROM public_item
  ) AS public_items;
