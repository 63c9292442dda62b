-- check_held: transactions are sets
SELECT DISTINCT
  t.tid AS tid,
  n.node AS node
FROM (
  SELECT
    r."basket no" AS key,
    r."sku" AS name,
    r."level" AS level
  FROM release AS r
) AS c
JOIN check_transaction AS t
  ON t.key = c.key
JOIN check_node AS n
  ON n.level = CAST(c.level AS INT) AND n.name = CAST(c.name AS TEXT);
