-- candidate_3: all subsets of a minimal mole are extendible
SELECT
  ROW_NUMBER() OVER (ORDER BY p.item_1, p.item_2, q.item_2) AS id,
  p.id AS parent,
  q.id AS sibling,
  p.item_1 AS item_1,
  p.item_2 AS item_2,
  q.item_2 AS item_3
FROM judged_2 AS p
JOIN judged_2 AS q
  ON p.item_1 = q.item_1 AND p.item_2 < q.item_2
WHERE
  (
    p.verdict = 0 AND q.verdict = 0
  )
  AND EXISTS(
    SELECT
      1
    FROM judged_2 AS s
    WHERE
      s.item_1 = p.item_2 AND s.item_2 = q.item_2 AND s.verdict = 0
  )
ORDER BY
  item_1,
  item_2,
  item_3;
