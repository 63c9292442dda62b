-- check_key: transactions are matched by their key
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY n.label) - 1 AS INT) AS tid,
  n.label AS label
FROM (
  SELECT
    CAST(w.given AS TEXT) AS label
  FROM (
    SELECT DISTINCT
      o.key AS given
    FROM original AS o
  ) AS w
  WHERE
    NOT w.given IS NULL
  UNION
  SELECT
    CAST(i.given AS TEXT) AS label
  FROM (
    SELECT DISTINCT
      r.key AS given
    FROM released AS r
  ) AS i
  WHERE
    NOT i.given IS NULL
) AS n;
