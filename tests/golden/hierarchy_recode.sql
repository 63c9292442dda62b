-- released_long
-- release: each row is a transaction with the labels of its nodes; a node is published once
SELECT
  b.key AS "basket no",
  n.label AS "sku",
  n.level AS "level",
  h.node AS "setveil_item"
FROM (
  SELECT DISTINCT
    r.tid AS tid,
    r.node AS node
  FROM (
    SELECT
      r.tid AS tid,
      r.item AS item,
      r.node AS node
    FROM recoded AS r
  ) AS r
) AS h
JOIN basket AS b
  ON b.tid = h.tid
JOIN node AS n
  ON n.node = h.node;

-- released_listed
-- release: each row is a transaction with the labels of its nodes; a node is published once
SELECT
  s."basket no" AS "basket no",
  COALESCE(k.labels, []) AS "sku",
  COALESCE(k.levels, []) AS "level",
  s."o'brien" AS "o'brien",
  s."setveil_line" AS "setveil_line"
FROM source AS s
LEFT JOIN (
  SELECT
    h.line AS line,
    ARRAY_AGG(n.label ORDER BY n.node) AS labels,
    ARRAY_AGG(n.level ORDER BY n.node) AS levels
  FROM (
    SELECT DISTINCT
      u.line AS line,
      r.node AS node
    FROM (
      SELECT
        t."setveil_line" AS line,
        b.tid AS tid,
        UNNEST(t."sku") AS name
      FROM source AS t
      JOIN basket AS b
        ON b.key = t."basket no"
    ) AS u
    JOIN label AS l
      ON l.name = u.name
    JOIN recoded AS r
      ON r.tid = u.tid AND r.item = l.item
  ) AS h
  JOIN node AS n
    ON n.node = h.node
  GROUP BY
    h.line
) AS k
  ON k.line = s."setveil_line"
WHERE
  NOT s."basket no" IS NULL AND NOT s."sku" IS NULL;

-- ncp
-- ncp: lists the loss per item: an occurrence costs the leaves of its published node
SELECT
  h.item AS item,
  CAST(SUM(h.held) AS BIGINT) AS held,
  CAST(SUM(CASE WHEN n.leaves > 1 THEN h.held * n.leaves ELSE 0 END) AS BIGINT) AS cost
FROM (
  SELECT
    r.item AS item,
    r.node AS node,
    COUNT(*) AS held
  FROM recoded AS r
  GROUP BY
    r.item,
    r.node
) AS h
JOIN node AS n
  ON n.node = h.node
GROUP BY
  h.item
ORDER BY
  item;

-- ncp_by_level
-- ncp_by_level: lists the loss per level of the hierarchy, in leaves
SELECT
  n.level AS level,
  COUNT(DISTINCT n.node) AS nodes,
  CAST(SUM(h.held) AS BIGINT) AS held,
  CAST(SUM(CASE WHEN n.leaves > 1 THEN h.held * n.leaves ELSE 0 END) AS BIGINT) AS cost
FROM (
  SELECT
    r.item AS item,
    r.node AS node,
    COUNT(*) AS held
  FROM recoded AS r
  GROUP BY
    r.item,
    r.node
) AS h
JOIN node AS n
  ON n.node = h.node
GROUP BY
  n.level
ORDER BY
  level;

-- ncp-leaving
-- ncp: lists the loss per item: an occurrence costs the leaves of its published node
SELECT
  h.item AS item,
  CAST(SUM(h.held) AS BIGINT) AS held,
  CAST(SUM(CASE WHEN n.leaves > 1 THEN h.held * n.leaves ELSE 0 END) AS BIGINT) AS cost
FROM (
  SELECT
    r.item AS item,
    r.node AS node,
    COUNT(*) AS held
  FROM recoded AS r
  GROUP BY
    r.item,
    r.node
) AS h
JOIN (
  SELECT
    n.node AS node,
    n.level AS level,
    n.leaves - COALESCE(x.leaves, 0) AS leaves
  FROM node AS n
  LEFT JOIN (
    SELECT
      p.node AS node,
      COUNT(*) AS leaves
    FROM path AS p
    JOIN leaving_item AS l
      ON l.item = p.item
    WHERE
      p.level > 0
    GROUP BY
      p.node
  ) AS x
    ON x.node = n.node
) AS n
  ON n.node = h.node
GROUP BY
  h.item
ORDER BY
  item;

-- ncp_by_level-leaving
-- ncp_by_level: lists the loss per level of the hierarchy, in leaves
SELECT
  n.level AS level,
  COUNT(DISTINCT n.node) AS nodes,
  CAST(SUM(h.held) AS BIGINT) AS held,
  CAST(SUM(CASE WHEN n.leaves > 1 THEN h.held * n.leaves ELSE 0 END) AS BIGINT) AS cost
FROM (
  SELECT
    r.item AS item,
    r.node AS node,
    COUNT(*) AS held
  FROM recoded AS r
  GROUP BY
    r.item,
    r.node
) AS h
JOIN (
  SELECT
    n.node AS node,
    n.level AS level,
    n.leaves - COALESCE(x.leaves, 0) AS leaves
  FROM node AS n
  LEFT JOIN (
    SELECT
      p.node AS node,
      COUNT(*) AS leaves
    FROM path AS p
    JOIN leaving_item AS l
      ON l.item = p.item
    WHERE
      p.level > 0
    GROUP BY
      p.node
  ) AS x
    ON x.node = n.node
) AS n
  ON n.node = h.node
GROUP BY
  n.level
ORDER BY
  level;

-- released_long-everywhere
-- release: each row is a transaction with the labels of its nodes; a node is published once
SELECT
  b.key AS "basket no",
  n.label AS "sku",
  n.level AS "level",
  h.node AS "setveil_item"
FROM (
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
JOIN basket AS b
  ON b.tid = h.tid
JOIN node AS n
  ON n.node = h.node;

-- released_listed-everywhere
-- release: each row is a transaction with the labels of its nodes; a node is published once
SELECT
  s."basket no" AS "basket no",
  COALESCE(k.labels, []) AS "sku",
  COALESCE(k.levels, []) AS "level",
  s."o'brien" AS "o'brien",
  s."setveil_line" AS "setveil_line"
FROM source AS s
LEFT JOIN (
  SELECT
    h.line AS line,
    ARRAY_AGG(n.label ORDER BY n.node) AS labels,
    ARRAY_AGG(n.level ORDER BY n.node) AS levels
  FROM (
    SELECT DISTINCT
      u.line AS line,
      r.node AS node
    FROM (
      SELECT
        t."setveil_line" AS line,
        b.tid AS tid,
        UNNEST(t."sku") AS name
      FROM source AS t
      JOIN basket AS b
        ON b.key = t."basket no"
    ) AS u
    JOIN label AS l
      ON l.name = u.name
    JOIN recoded_item AS r
      ON r.item = l.item
  ) AS h
  JOIN node AS n
    ON n.node = h.node
  GROUP BY
    h.line
) AS k
  ON k.line = s."setveil_line"
WHERE
  NOT s."basket no" IS NULL AND NOT s."sku" IS NULL;

-- ncp-everywhere
-- ncp: lists the loss per item: an occurrence costs the leaves of its published node
SELECT
  h.item AS item,
  CAST(SUM(h.held) AS BIGINT) AS held,
  CAST(SUM(CASE WHEN n.leaves > 1 THEN h.held * n.leaves ELSE 0 END) AS BIGINT) AS cost
FROM (
  SELECT
    r.item AS item,
    r.node AS node,
    i.support AS held
  FROM recoded_item AS r
  JOIN item AS i
    ON i.item = r.item
) AS h
JOIN node AS n
  ON n.node = h.node
GROUP BY
  h.item
ORDER BY
  item;

-- ncp_by_level-everywhere
-- ncp_by_level: lists the loss per level of the hierarchy, in leaves
SELECT
  n.level AS level,
  COUNT(DISTINCT n.node) AS nodes,
  CAST(SUM(h.held) AS BIGINT) AS held,
  CAST(SUM(CASE WHEN n.leaves > 1 THEN h.held * n.leaves ELSE 0 END) AS BIGINT) AS cost
FROM (
  SELECT
    r.item AS item,
    r.node AS node,
    i.support AS held
  FROM recoded_item AS r
  JOIN item AS i
    ON i.item = r.item
) AS h
JOIN node AS n
  ON n.node = h.node
GROUP BY
  n.level
ORDER BY
  level;

-- ncp-everywhere-leaving
-- ncp: lists the loss per item: an occurrence costs the leaves of its published node
SELECT
  h.item AS item,
  CAST(SUM(h.held) AS BIGINT) AS held,
  CAST(SUM(CASE WHEN n.leaves > 1 THEN h.held * n.leaves ELSE 0 END) AS BIGINT) AS cost
FROM (
  SELECT
    r.item AS item,
    r.node AS node,
    i.support AS held
  FROM recoded_item AS r
  JOIN item AS i
    ON i.item = r.item
) AS h
JOIN (
  SELECT
    n.node AS node,
    n.level AS level,
    n.leaves - COALESCE(x.leaves, 0) AS leaves
  FROM node AS n
  LEFT JOIN (
    SELECT
      p.node AS node,
      COUNT(*) AS leaves
    FROM path AS p
    JOIN leaving_item AS l
      ON l.item = p.item
    WHERE
      p.level > 0
    GROUP BY
      p.node
  ) AS x
    ON x.node = n.node
) AS n
  ON n.node = h.node
GROUP BY
  h.item
ORDER BY
  item;

-- ncp_by_level-everywhere-leaving
-- ncp_by_level: lists the loss per level of the hierarchy, in leaves
SELECT
  n.level AS level,
  COUNT(DISTINCT n.node) AS nodes,
  CAST(SUM(h.held) AS BIGINT) AS held,
  CAST(SUM(CASE WHEN n.leaves > 1 THEN h.held * n.leaves ELSE 0 END) AS BIGINT) AS cost
FROM (
  SELECT
    r.item AS item,
    r.node AS node,
    i.support AS held
  FROM recoded_item AS r
  JOIN item AS i
    ON i.item = r.item
) AS h
JOIN (
  SELECT
    n.node AS node,
    n.level AS level,
    n.leaves - COALESCE(x.leaves, 0) AS leaves
  FROM node AS n
  LEFT JOIN (
    SELECT
      p.node AS node,
      COUNT(*) AS leaves
    FROM path AS p
    JOIN leaving_item AS l
      ON l.item = p.item
    WHERE
      p.level > 0
    GROUP BY
      p.node
  ) AS x
    ON x.node = n.node
) AS n
  ON n.node = h.node
GROUP BY
  n.level
ORDER BY
  level;
