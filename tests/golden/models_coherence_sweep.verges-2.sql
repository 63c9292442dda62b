-- verges_2: the minimal moles of every k
SELECT
  c.support AS support,
  CASE WHEN j.verdict = 2 THEN 1 ELSE 0 END AS revealing,
  CASE
    WHEN s1.support IS NULL OR s2.support IS NULL
    THEN NULL
    ELSE LEAST(s1.support, s2.support)
  END AS floor,
  c.item_1 AS item_1,
  c.item_2 AS item_2
FROM counted_2 AS c
JOIN judged_2 AS j
  ON j.id = c.id
JOIN counted_1 AS s1
  ON s1.item_1 = c.item_2
JOIN counted_1 AS s2
  ON s2.item_1 = c.item_1
WHERE
  c.support < 100 OR j.verdict = 2;
