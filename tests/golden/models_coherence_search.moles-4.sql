-- moles_4: what must be broken up
SELECT
  j.item_1 AS item_1,
  j.item_2 AS item_2,
  j.item_3 AS item_3,
  j.item_4 AS item_4,
  j.verdict
FROM judged_4 AS j
WHERE
  j.verdict > 0
ORDER BY
  j.item_1,
  j.item_2,
  j.item_3,
  j.item_4;
