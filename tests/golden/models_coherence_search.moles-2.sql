-- moles_2: what must be broken up
SELECT
  j.item_1 AS item_1,
  j.item_2 AS item_2,
  j.verdict
FROM judged_2 AS j
WHERE
  j.verdict > 0
ORDER BY
  j.item_1,
  j.item_2;
