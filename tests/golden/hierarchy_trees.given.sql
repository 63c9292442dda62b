-- given_hierarchy: the hierarchy as given, read once
SELECT DISTINCT
  CAST("sku" AS TEXT) AS name,
  CAST("level1" AS TEXT) AS level1,
  CAST("level2" AS TEXT) AS level2
FROM tree;
