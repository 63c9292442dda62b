-- verges_1: the minimal moles of every k
SELECT
  c.support AS support,
  CASE WHEN j.verdict = 2 THEN 1 ELSE 0 END AS revealing,
  88162 AS floor,
  c.item_1 AS item_1
FROM counted_1 AS c
JOIN judged_1 AS j
  ON j.id = c.id
WHERE
  c.support < 100 OR j.verdict = 2;
