-- check_item: the public and private items, numbered by name
WITH present AS (
  SELECT DISTINCT
    r.name AS name,
    CAST(r.name AS TEXT) AS label
  FROM release_cell AS r
  WHERE
    NOT r.name IS NULL
), role AS (
  SELECT
    name AS label,
    0 AS private
  FROM public_name
  UNION
  SELECT
    name AS label,
    1 AS private
  FROM private_name
)
SELECT
  DENSE_RANK() OVER (ORDER BY n.label) - 1 AS item,
  n.name AS name,
  n.label AS label,
  r.private AS private
FROM present AS n
JOIN role AS r
  ON r.label = n.label;
