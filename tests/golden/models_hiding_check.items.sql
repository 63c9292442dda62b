-- check_item: items are matched by their name
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY n.label) - 1 AS INT) AS item,
  n.label AS label
FROM (
  SELECT
    CAST(w.given AS TEXT) AS label
  FROM (
    SELECT DISTINCT
      o.name AS given
    FROM original AS o
  ) AS w
  WHERE
    NOT w.given IS NULL
  UNION
  SELECT
    CAST(i.given AS TEXT) AS label
  FROM (
    SELECT DISTINCT
      r.name AS given
    FROM released AS r
  ) AS i
  WHERE
    NOT i.given IS NULL
) AS n;
