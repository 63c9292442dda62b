-- known_item: published items are numbered by name
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY n.name) - 1 AS INT) AS item,
  n.name AS name
FROM (
  SELECT DISTINCT
    UNNEST(p.items) AS name
  FROM published_set AS p
) AS n;
