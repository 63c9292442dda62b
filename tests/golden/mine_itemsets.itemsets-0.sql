-- mined: the most frequent itemsets first, then the smaller ones
SELECT
  u.items AS items,
  u.support AS support,
  CAST(u.support AS DOUBLE) / 5000 AS frequency
FROM (
  SELECT
    0 AS size,
    f.id AS id,
    f.support AS support,
    [item_1.name] AS items
  FROM (
    SELECT
      i.item AS id,
      i.support AS support,
      i.support AS antecedent_support,
      i.support AS consequent_support
    FROM item AS i
    WHERE
      1 = 0
  ) AS f
  JOIN item AS item_1
    ON item_1.item = f.id
) AS u
ORDER BY
  u.support DESC,
  u.size,
  u.id;
