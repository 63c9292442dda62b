-- discernibility: how alike transactions have become
SELECT
  CAST(COALESCE(SUM(e.size * e.size), 0) AS BIGINT) AS discernibility
FROM (
  SELECT
    COUNT(*) AS size
  FROM (
    SELECT
      b.tid AS tid,
      LISTAGG(CAST(o.item AS TEXT), ','
      ORDER BY
        o.item) AS items
    FROM basket AS b
    LEFT JOIN occurrence AS o
      ON o.tid = b.tid
    GROUP BY
      b.tid
  ) AS t
  GROUP BY
    t.items
) AS e;
