-- found_candidate_3: every subset of a frequent itemset is
SELECT
  s1.id AS part_1,
  CAST(c.item_3 AS BIGINT) AS part_2,
  ROW_NUMBER() OVER (ORDER BY c.item_1, c.item_2, c.item_3) AS id,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3
FROM (
  SELECT
    p.item_1 AS item_1,
    p.item_2 AS item_2,
    q.item_2 AS item_3
  FROM found_2 AS p
  JOIN found_2 AS q
    ON p.item_1 = q.item_1 AND p.item_2 < q.item_2
  WHERE
    EXISTS(
      SELECT
        1
      FROM found_2 AS s
      WHERE
        s.item_1 = p.item_2 AND s.item_2 = q.item_2
    )
) AS c
JOIN found_2 AS s1
  ON s1.item_1 = c.item_1 AND s1.item_2 = c.item_2
ORDER BY
  id;
