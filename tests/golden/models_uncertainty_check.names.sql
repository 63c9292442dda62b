-- check_name: the items of the release, numbered by name
SELECT
  DENSE_RANK() OVER (ORDER BY n.label) - 1 AS number,
  n.name AS name,
  n.label AS label
FROM (
  SELECT DISTINCT
    r.name AS name,
    CAST(r.name AS TEXT) AS label
  FROM cells AS r
  WHERE
    NOT r.name IS NULL
) AS n;
