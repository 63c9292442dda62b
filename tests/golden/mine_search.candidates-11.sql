-- found_candidate_2: every subset of a frequent itemset is
SELECT
  CAST(c.item_1 AS BIGINT) AS part_1,
  CAST(c.item_2 AS BIGINT) AS part_2,
  ROW_NUMBER() OVER (ORDER BY c.item_1, c.item_2) AS id,
  c.item_1 AS item_1,
  c.item_2 AS item_2
FROM (
  SELECT
    p.item_1 AS item_1,
    q.item_1 AS item_2
  FROM found_1 AS p
  JOIN found_1 AS q
    ON p.item_1 < q.item_1
) AS c
ORDER BY
  id;
