-- check_key: transactions are matched by their key
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY n.label) - 1 AS INT) AS tid,
  n.label AS label
FROM (
  SELECT
    CAST(o.key AS TEXT) AS label
  FROM original AS o
  WHERE
    NOT o.key IS NULL
  UNION
  SELECT
    CAST(r.key AS TEXT) AS label
  FROM released AS r
  WHERE
    NOT r.key IS NULL
) AS n;
