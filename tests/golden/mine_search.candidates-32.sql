-- found_candidate_5: every subset of a frequent itemset is
SELECT
  s1.id AS part_1,
  s2.id AS part_2,
  ROW_NUMBER() OVER (ORDER BY c.item_1, c.item_2, c.item_3, c.item_4, c.item_5) AS id,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3,
  c.item_4 AS item_4,
  c.item_5 AS item_5
FROM (
  SELECT
    p.item_1 AS item_1,
    p.item_2 AS item_2,
    p.item_3 AS item_3,
    p.item_4 AS item_4,
    q.item_4 AS item_5
  FROM found_4 AS p
  JOIN found_4 AS q
    ON p.item_1 = q.item_1
    AND p.item_2 = q.item_2
    AND p.item_3 = q.item_3
    AND p.item_4 < q.item_4
  WHERE
    (
      EXISTS(
        SELECT
          1
        FROM found_4 AS s
        WHERE
          s.item_1 = p.item_2
          AND s.item_2 = p.item_3
          AND s.item_3 = p.item_4
          AND s.item_4 = q.item_4
      )
      AND EXISTS(
        SELECT
          1
        FROM found_4 AS s
        WHERE
          s.item_1 = p.item_1
          AND s.item_2 = p.item_3
          AND s.item_3 = p.item_4
          AND s.item_4 = q.item_4
      )
    )
    AND EXISTS(
      SELECT
        1
      FROM found_4 AS s
      WHERE
        s.item_1 = p.item_1
        AND s.item_2 = p.item_2
        AND s.item_3 = p.item_4
        AND s.item_4 = q.item_4
    )
) AS c
JOIN found_3 AS s1
  ON s1.item_1 = c.item_1 AND s1.item_2 = c.item_2 AND s1.item_3 = c.item_3
JOIN found_2 AS s2
  ON s2.item_1 = c.item_4 AND s2.item_2 = c.item_5
ORDER BY
  id;
