-- known_set: published itemsets are numbered by size and items
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY LENGTH(p.items), p.items) - 1 AS INT) AS id,
  CAST(LENGTH(p.items) AS INT) AS size,
  CAST(ROUND(p.frequency * 1000000000) AS BIGINT) AS nano
FROM published_set AS p
WHERE
  LENGTH(p.items) > 0;
