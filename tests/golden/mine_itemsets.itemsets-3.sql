-- mined: the most frequent itemsets first, then the smaller ones
SELECT
  u.items AS items,
  u.support AS support,
  CAST(u.support AS DOUBLE) / 5000 AS frequency
FROM (
  SELECT
    1 AS size,
    f.id AS id,
    f.support AS support,
    [item_1.name] AS items
  FROM found_1 AS f
  JOIN item AS item_1
    ON item_1.item = f.item_1
  UNION ALL
  SELECT
    2 AS size,
    f.id AS id,
    f.support AS support,
    [item_1.name, item_2.name] AS items
  FROM found_2 AS f
  JOIN item AS item_1
    ON item_1.item = f.item_1
  JOIN item AS item_2
    ON item_2.item = f.item_2
  UNION ALL
  SELECT
    3 AS size,
    f.id AS id,
    f.support AS support,
    [item_1.name, item_2.name, item_3.name] AS items
  FROM found_3 AS f
  JOIN item AS item_1
    ON item_1.item = f.item_1
  JOIN item AS item_2
    ON item_2.item = f.item_2
  JOIN item AS item_3
    ON item_3.item = f.item_3
) AS u
ORDER BY
  u.support DESC,
  u.size,
  u.id;
