-- label: items are numbered by value; the most frequent give the order of tids
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY name) - 1 AS INT) AS item,
  CAST(ROW_NUMBER() OVER (ORDER BY cells DESC, name) - 1 AS INT) AS popularity,
  name
FROM (
  SELECT
    name,
    COUNT(*) AS cells
  FROM cell
  WHERE
    NOT key IS NULL AND NOT name IS NULL
  GROUP BY
    name
) AS counted;
