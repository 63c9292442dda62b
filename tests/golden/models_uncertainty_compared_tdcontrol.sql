-- climb
-- climb: each row is an item that is not sensitive, and a node that can stand for it
SELECT
  p.item AS item,
  p.node AS node,
  p.level AS level
FROM path AS p
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM sensitive_item AS r
    WHERE
      r.item = p.item
  );

-- frozen
-- left_out: each row is a node that an earlier slice published
SELECT
  f.item + 1 AS code
FROM frozen AS f;

-- stand_ins
-- stand_in: each row is an item and the node that stands for it, down to level 2
SELECT
  s.item AS item,
  s.node AS node
FROM (
  SELECT
    c.item AS item,
    c.node AS node,
    ROW_NUMBER() OVER (
      PARTITION BY c.item
      ORDER BY CASE WHEN l.code IS NULL THEN c.level ELSE -c.level END
    ) AS turn
  FROM climb AS c
  LEFT JOIN left_out AS l
    ON l.code = c.node + 1
  WHERE
    c.level >= 2 OR NOT l.code IS NULL
) AS s
WHERE
  s.turn = 1;

-- held
-- held: each row is a transaction and a node or sensitive item that is published of it
SELECT DISTINCT
  o.tid AS tid,
  0 AS part,
  s.node + 1 AS code
FROM occurrence AS o
JOIN stand_in AS s
  ON s.item = o.item
UNION ALL
SELECT
  o.tid AS tid,
  0 AS part,
  40 + 1 + o.item AS code
FROM occurrence AS o
JOIN sensitive_item AS r
  ON r.item = o.item
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM left_out AS l
    WHERE
      l.code = 40 + 1 + o.item
  );

-- held-persons
-- held: each row is a transaction and a node or sensitive item that is published of it
SELECT DISTINCT
  o.tid AS tid,
  0 AS part,
  s.node + 1 AS code,
  b.person AS person
FROM occurrence AS o
JOIN stand_in AS s
  ON s.item = o.item
JOIN basket AS b
  ON b.tid = o.tid
UNION ALL
SELECT
  o.tid AS tid,
  0 AS part,
  40 + 1 + o.item AS code,
  b.person AS person
FROM occurrence AS o
JOIN sensitive_item AS r
  ON r.item = o.item
JOIN basket AS b
  ON b.tid = o.tid
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM left_out AS l
    WHERE
      l.code = 40 + 1 + o.item
  );

-- remedies
-- remedy: each row is a published code, what would stop its rules, and the bits that this loses
WITH told AS (
  SELECT
    c.node AS node,
    CAST(SUM(i.support) AS DOUBLE) AS occurrences
  FROM climb AS c
  JOIN item AS i
    ON i.item = c.item
  GROUP BY
    c.node
), every AS (
  SELECT
    CAST(SUM(i.support) AS DOUBLE) AS occurrences
  FROM item AS i
)
SELECT DISTINCT
  n.node + 1 AS code,
  n.parent + 1 AS target,
  g.loss AS loss
FROM stand_in AS s
JOIN node AS n
  ON n.node = s.node
JOIN (
  SELECT
    c.node AS node,
    1 + CAST(ROUND(1000 * SUM(i.support * (
      LN(p.occurrences) - LN(q.occurrences)
    ))) AS BIGINT) AS loss
  FROM climb AS c
  JOIN item AS i
    ON i.item = c.item
  JOIN stand_in AS t
    ON t.item = c.item
  JOIN told AS p
    ON p.node = c.node
  JOIN told AS q
    ON q.node = t.node
  GROUP BY
    c.node
) AS g
  ON g.node = n.parent
UNION ALL
SELECT
  40 + 1 + r.item AS code,
  40 + 1 + r.item AS target,
  1 + CAST(ROUND(1000 * i.support * (
    LN(e.occurrences) - LN(i.support)
  )) AS BIGINT) AS loss
FROM sensitive_item AS r
JOIN item AS i
  ON i.item = r.item
CROSS JOIN every AS e;

-- recoded
-- recoded_item: each row is an item and the node that is published in its place
SELECT
  s.item AS item,
  s.node AS node
FROM stand_in AS s
UNION ALL
SELECT
  r.item AS item,
  r.item AS node
FROM sensitive_item AS r
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM left_out AS l
    WHERE
      l.code = 40 + 1 + r.item
  );

-- suppressed
-- suppressed_item: each row is a sensitive item that is suppressed
SELECT
  r.item AS item
FROM sensitive_item AS r
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM recoded_item AS p
    WHERE
      p.item = r.item
  );

-- losses
-- losses: counts published nodes, and items that are suppressed
SELECT
  COUNT(DISTINCT r.node) AS nodes,
  COUNT(CASE WHEN r.node <> r.item THEN 1 END) AS generalized,
  (
    SELECT
      COUNT(*)
    FROM suppressed_item AS s
  ) AS suppressed,
  (
    SELECT
      CAST(COALESCE(SUM(i.support), 0) AS BIGINT)
    FROM suppressed_item AS s
    JOIN item AS i
      ON i.item = s.item
  ) AS occurrences,
  (
    SELECT
      CAST(COALESCE(SUM(i.support), 0) AS BIGINT)
    FROM sensitive_item AS s
    JOIN item AS i
      ON i.item = s.item
  ) AS secrets
FROM recoded_item AS r;
