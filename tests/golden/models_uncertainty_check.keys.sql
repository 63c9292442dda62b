-- check_key: the transactions of the release, in numbers
SELECT
  ROW_NUMBER() OVER (ORDER BY c.key) - 1 AS tid,
  c.key AS key
FROM (
  SELECT DISTINCT
    r.key AS key
  FROM cells AS r
  WHERE
    NOT r.key IS NULL
) AS c;
