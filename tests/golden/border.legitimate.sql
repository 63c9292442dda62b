-- legitimate: what victims can take support from
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY m.itemset) - 1 AS INT) AS number,
  m.itemset AS itemset,
  m.size AS size,
  m.support AS support
FROM frequent_itemset AS m
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM frequent_restrictive AS g
    WHERE
      g.itemset = m.itemset
  )
  AND EXISTS(
    SELECT
      1 AS one
    FROM frequent_member AS e
    JOIN restricted AS r
      ON r.item = e.item
    WHERE
      e.itemset = m.itemset
  );
