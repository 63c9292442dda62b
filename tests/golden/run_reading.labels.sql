-- label: items are numbered by value; the most frequent give the order of tids
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY name) - 1 AS INT) AS item,
  CAST(ROW_NUMBER() OVER (ORDER BY cells DESC, name) - 1 AS INT) AS popularity,
  name
FROM (
  SELECT
    c.name AS name,
    COUNT(*) AS cells
  FROM cells AS c
  WHERE
    NOT c.key IS NULL AND NOT c.name IS NULL
  GROUP BY
    c.name
) AS counted;
