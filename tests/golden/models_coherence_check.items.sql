-- check_item: the public and private items, numbered by name
WITH present AS (
  SELECT DISTINCT
    r.name AS name,
    CAST(r.name AS TEXT) AS label
  FROM cells AS r
  WHERE
    NOT r.name IS NULL
)
SELECT
  CAST(DENSE_RANK() OVER (ORDER BY n.label) - 1 AS INT) AS item,
  n.name AS name,
  n.label AS label,
  r.private AS private
FROM present AS n
JOIN roles AS r
  ON r.label = n.label;
