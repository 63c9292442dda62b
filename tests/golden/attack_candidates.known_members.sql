-- known_member: the items of the published itemsets
SELECT
  s.id AS id,
  i.item AS item
FROM (
  SELECT
    n.id AS id,
    UNNEST(n.items) AS name
  FROM (
    SELECT
      CAST(ROW_NUMBER() OVER (ORDER BY LENGTH(p.items), p.items) - 1 AS INT) AS id,
      p.items AS items
    FROM published_set AS p
    WHERE
      LENGTH(p.items) > 0
  ) AS n
) AS s
JOIN known_item AS i
  ON i.name = s.name;
