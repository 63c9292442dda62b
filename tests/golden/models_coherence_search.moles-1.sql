-- moles_1: what must be broken up
SELECT
  j.item_1 AS item_1,
  j.verdict
FROM judged_1 AS j
WHERE
  j.verdict > 0
ORDER BY
  j.item_1;
