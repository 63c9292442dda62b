-- judged_1: rare, revealing, or neither
SELECT
  c.id AS id,
  c.support AS support,
  CASE WHEN c.support < 20 THEN 1 WHEN r.id IS NULL THEN 0 ELSE 2 END AS verdict,
  c.item_1 AS item_1
FROM counted_1 AS c
LEFT JOIN (
  SELECT DISTINCT
    c.id AS id
  FROM counted_1 AS c
  JOIN link_1 AS l
    ON l.id = c.id
  WHERE
    l.hits * 5 > 2 * c.support
) AS r
  ON r.id = c.id;
