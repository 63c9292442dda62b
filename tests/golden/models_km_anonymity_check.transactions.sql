-- check_transaction: transactions as numbers
SELECT
  ROW_NUMBER() OVER (ORDER BY d.key) AS tid,
  d.key AS key
FROM (
  SELECT DISTINCT
    c.key AS key
  FROM (
    SELECT
      r."basket no" AS key,
      r."sku" AS name,
      r."level" AS level
    FROM release AS r
  ) AS c
  WHERE
    NOT c.key IS NULL
) AS d;
