-- check_node: what the release names, in numbers
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY n.level, n.label) AS INT) AS node,
  n.level AS level,
  n.label AS label
FROM (
  SELECT DISTINCT
    COALESCE(CAST(r.level AS INT), -1) AS level,
    CAST(r.name AS TEXT) AS label
  FROM cells AS r
  WHERE
    NOT r.name IS NULL
) AS n;
