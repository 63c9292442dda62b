-- suppressed
-- information: counts suppressed occurrences by the support of their item: rare items tell more bits
SELECT
  i.support AS support,
  CAST(SUM(i.support) AS BIGINT) AS held,
  CAST(SUM(COALESCE(s.lost, 0)) AS BIGINT) AS lost
FROM item AS i
LEFT JOIN (
  SELECT
    o.item AS item,
    COUNT(*) AS lost
  FROM suppressed AS o
  GROUP BY
    o.item
) AS s
  ON s.item = i.item
GROUP BY
  i.support
ORDER BY
  support;

-- generalized
-- information: counts occurrences by the support of their item and the occurrences below their node
SELECT
  i.support AS support,
  u.among AS among,
  CAST(SUM(COALESCE(h.held, i.support)) AS BIGINT) AS held
FROM item AS i
LEFT JOIN (
  SELECT
    r.item AS item,
    r.node AS node,
    COUNT(*) AS held
  FROM recoded AS r
  GROUP BY
    r.item,
    r.node
) AS h
  ON h.item = i.item
LEFT JOIN (
  SELECT
    p.node AS node,
    CAST(SUM(l.support) AS BIGINT) AS among
  FROM path AS p
  JOIN item AS l
    ON l.item = p.item
  GROUP BY
    p.node
) AS u
  ON u.node = h.node
GROUP BY
  i.support,
  u.among
ORDER BY
  support,
  among;

-- generalized-leaving
-- information: counts occurrences by the support of their item and the occurrences below their node
SELECT
  i.support AS support,
  u.among AS among,
  CAST(SUM(COALESCE(h.held, i.support)) AS BIGINT) AS held
FROM item AS i
LEFT JOIN (
  SELECT
    r.item AS item,
    r.node AS node,
    COUNT(*) AS held
  FROM recoded AS r
  GROUP BY
    r.item,
    r.node
) AS h
  ON h.item = i.item
LEFT JOIN (
  SELECT
    p.node AS node,
    CAST(SUM(l.support) AS BIGINT) AS among
  FROM path AS p
  JOIN item AS l
    ON l.item = p.item
  WHERE
    p.level = 0
    OR NOT EXISTS(
      SELECT
        1 AS one
      FROM leaving_item AS x
      WHERE
        x.item = p.item
    )
  GROUP BY
    p.node
) AS u
  ON u.node = h.node
GROUP BY
  i.support,
  u.among
ORDER BY
  support,
  among;

-- generalized-everywhere
-- information: counts occurrences by the support of their item and the occurrences below their node
SELECT
  i.support AS support,
  u.among AS among,
  CAST(SUM(COALESCE(h.held, i.support)) AS BIGINT) AS held
FROM item AS i
LEFT JOIN (
  SELECT
    r.item AS item,
    r.node AS node,
    i.support AS held
  FROM recoded_item AS r
  JOIN item AS i
    ON i.item = r.item
) AS h
  ON h.item = i.item
LEFT JOIN (
  SELECT
    p.node AS node,
    CAST(SUM(l.support) AS BIGINT) AS among
  FROM path AS p
  JOIN item AS l
    ON l.item = p.item
  GROUP BY
    p.node
) AS u
  ON u.node = h.node
GROUP BY
  i.support,
  u.among
ORDER BY
  support,
  among;

-- generalized-everywhere-leaving
-- information: counts occurrences by the support of their item and the occurrences below their node
SELECT
  i.support AS support,
  u.among AS among,
  CAST(SUM(COALESCE(h.held, i.support)) AS BIGINT) AS held
FROM item AS i
LEFT JOIN (
  SELECT
    r.item AS item,
    r.node AS node,
    i.support AS held
  FROM recoded_item AS r
  JOIN item AS i
    ON i.item = r.item
) AS h
  ON h.item = i.item
LEFT JOIN (
  SELECT
    p.node AS node,
    CAST(SUM(l.support) AS BIGINT) AS among
  FROM path AS p
  JOIN item AS l
    ON l.item = p.item
  WHERE
    p.level = 0
    OR NOT EXISTS(
      SELECT
        1 AS one
      FROM leaving_item AS x
      WHERE
        x.item = p.item
    )
  GROUP BY
    p.node
) AS u
  ON u.node = h.node
GROUP BY
  i.support,
  u.among
ORDER BY
  support,
  among;
