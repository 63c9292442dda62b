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
) AS u
ORDER BY
  u.support DESC,
  u.size,
  u.id;
