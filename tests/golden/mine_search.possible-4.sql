-- found_possible_4: a closer look, before so many are counted
SELECT
  COUNT(*) AS itemsets
FROM (
  SELECT
    p.item_1 AS item_1,
    p.item_2 AS item_2,
    p.item_3 AS item_3,
    q.item_3 AS item_4
  FROM found_3 AS p
  JOIN found_3 AS q
    ON p.item_1 = q.item_1 AND p.item_2 = q.item_2 AND p.item_3 < q.item_3
  WHERE
    EXISTS(
      SELECT
        1
      FROM found_3 AS s
      WHERE
        s.item_1 = p.item_2 AND s.item_2 = p.item_3 AND s.item_3 = q.item_3
    )
    AND EXISTS(
      SELECT
        1
      FROM found_3 AS s
      WHERE
        s.item_1 = p.item_1 AND s.item_2 = p.item_3 AND s.item_3 = q.item_3
    )
) AS j;
