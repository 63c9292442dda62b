-- counted_3: support, from the lists of the prefix
SELECT
  c.id AS id,
  c.parent AS parent,
  c.sibling AS sibling,
  n.support AS support,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3
FROM candidate_3 AS c
JOIN (
  SELECT
    c.id AS id,
    COUNT(*) AS support
  FROM cohort_2 AS h
  JOIN extension AS x
    ON x.tid = h.tid
  JOIN candidate_3 AS c
    ON c.parent = h.id AND c.item_3 = x.item
  GROUP BY
    c.id
) AS n
  ON n.id = c.id
ORDER BY
  id;
