-- judged_2: rare, revealing, or neither
SELECT
  c.id AS id,
  c.support AS support,
  CASE WHEN c.support < 20 THEN 1 ELSE 0 END AS verdict,
  c.item_1 AS item_1,
  c.item_2 AS item_2
FROM counted_2 AS c;
