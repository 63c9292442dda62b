-- tree: what could be published, and how often it occurs
SELECT
  n.node AS node,
  COALESCE(n.parent, -1) AS parent,
  n.level AS level,
  n.leaves AS leaves,
  COALESCE(h.support, 0) AS support,
  COALESCE(h.held, 0) AS held
FROM node AS n
LEFT JOIN (
  SELECT
    CAST((
      t.pair - t.pair % 1000
    ) / 1000 AS BIGINT) AS node,
    COUNT(*) AS support,
    CAST(SUM(t.held) AS BIGINT) AS held
  FROM (
    SELECT
      CAST(p.node AS BIGINT) * 1000 + o.tid AS pair,
      COUNT(*) AS held
    FROM occurrence AS o
    JOIN path AS p
      ON p.item = o.item
    GROUP BY
      CAST(p.node AS BIGINT) * 1000 + o.tid
  ) AS t
  GROUP BY
    CAST((
      t.pair - t.pair % 1000
    ) / 1000 AS BIGINT)
) AS h
  ON h.node = n.node
ORDER BY
  node;
