-- moles_3: what must be broken up
SELECT
  j.item_1 AS item_1,
  j.item_2 AS item_2,
  j.item_3 AS item_3,
  j.verdict
FROM judged_3 AS j
WHERE
  j.verdict > 0
ORDER BY
  j.item_1,
  j.item_2,
  j.item_3;
