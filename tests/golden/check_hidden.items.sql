-- check_item: items are matched by their name
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY n.label) - 1 AS INT) AS item,
  n.label AS label
FROM (
  SELECT
    CAST(o.name AS TEXT) AS label
  FROM original AS o
  WHERE
    NOT o.name IS NULL
  UNION
  SELECT
    CAST(r.name AS TEXT) AS label
  FROM released AS r
  WHERE
    NOT r.name IS NULL
) AS n;
