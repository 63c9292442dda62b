-- check_sizes: how much there is to judge
SELECT
  COUNT(*) - COUNT(c.key) AS unkeyed,
  COUNT(CASE WHEN NOT c.name IS NULL AND c.level IS NULL THEN 1 END) AS unlevelled,
  COALESCE(
    MAX(
      (
        SELECT
          COALESCE(MAX(t.n), 0) AS n
        FROM (
          SELECT
            h.tid AS tid,
            COUNT(*) AS n
          FROM check_held AS h
          GROUP BY
            h.tid
        ) AS t
      )
    ),
    0
  ) AS longest
FROM (
  SELECT
    r."basket no" AS key,
    r."sku" AS name,
    r."level" AS level
  FROM release AS r
) AS c;
