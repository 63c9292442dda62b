-- mined_member: the items of the frequent itemsets
SELECT
  s.id AS id,
  f.item AS item
FROM (
  SELECT
    1 AS size,
    f.id AS source,
    f.item_1 AS item
  FROM frequent_1 AS f
  UNION ALL
  SELECT
    3 AS size,
    f.id AS source,
    f.item_1 AS item
  FROM frequent_3 AS f
  UNION ALL
  SELECT
    3 AS size,
    f.id AS source,
    f.item_2 AS item
  FROM frequent_3 AS f
  UNION ALL
  SELECT
    3 AS size,
    f.id AS source,
    f.item_3 AS item
  FROM frequent_3 AS f
) AS f
JOIN mined_set AS s
  ON s.size = f.size AND s.source = f.source;
