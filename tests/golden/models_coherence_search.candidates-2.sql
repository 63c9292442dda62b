-- candidate_2: all subsets of a minimal mole are extendible
SELECT
  ROW_NUMBER() OVER (ORDER BY p.item_1, q.item_1) AS id,
  p.id AS parent,
  q.id AS sibling,
  p.item_1 AS item_1,
  q.item_1 AS item_2
FROM judged_1 AS p
JOIN judged_1 AS q
  ON p.item_1 < q.item_1
WHERE
  p.verdict = 0 AND q.verdict = 0
ORDER BY
  item_1,
  item_2;
