-- leaf: the items of the data keep their numbers
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY CASE WHEN i.item IS NULL THEN 1 ELSE 0 END, i.item, g.name) - 1 AS INT) AS leaf,
  g.name AS name
FROM given_hierarchy AS g
LEFT JOIN item AS i
  ON CAST(i.name AS TEXT) = g.name;
