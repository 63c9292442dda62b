-- discernibility: how alike transactions have become
SELECT
  CAST(COALESCE(SUM(e.size * e.size), 0) AS BIGINT) AS discernibility
FROM (
  SELECT
    COUNT(*) AS size
  FROM (
    SELECT
      b.tid AS tid,
      LISTAGG(CAST(h.node AS TEXT), ','
      ORDER BY
        h.node) AS nodes
    FROM basket AS b
    LEFT JOIN (
      SELECT DISTINCT
        r.tid AS tid,
        r.node AS node
      FROM (
        SELECT
          o.tid AS tid,
          o.item AS item,
          r.node AS node
        FROM occurrence AS o
        JOIN recoded_item AS r
          ON r.item = o.item
      ) AS r
    ) AS h
      ON h.tid = b.tid
    GROUP BY
      b.tid
  ) AS t
  GROUP BY
    t.nodes
) AS e;
