-- found_possible_3: a closer look, before so many are counted
SELECT
  COUNT(*) AS itemsets
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
) AS j;
