-- places
-- item_place: each row is an item and its place in the hierarchy
SELECT
  CAST(l.name AS TEXT) AS name,
  'place ' || CAST(SUM(
    CAST(MD5_NUMBER_LOWER(CAST(n.level AS TEXT) || ':' || CAST(n.label AS TEXT)) AS DECIMAL(38, 0))
  ) AS TEXT) AS role
FROM path AS p
JOIN node AS n
  ON n.node = p.node
JOIN label AS l
  ON l.item = p.item
WHERE
  n.level > 0
GROUP BY
  l.name;

-- new_places
-- role: each row is an item and its place in the hierarchy
SELECT
  i.name AS name,
  i.role AS role,
  4 AS attempt
FROM item_place AS i
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM ledger_role AS o
    WHERE
      o.name = i.name AND o.role = i.role
  );

-- moved
-- moved: each row is an item that has another place now
SELECT DISTINCT
  i.name AS name
FROM item_place AS i
JOIN ledger_role AS o
  ON o.name = i.name
WHERE
  STARTS_WITH(o.role, 'place ') AND o.role <> i.role
ORDER BY
  name;

-- frozen
-- frozen: each row is a node that an earlier slice published
SELECT DISTINCT
  n.node AS node
FROM node AS n
JOIN ledger_split AS s
  ON s.level = n.level AND s.name = CAST(n.label AS TEXT)
JOIN ledger_attempt AS a
  ON a.attempt = s.attempt AND a.event = 'done'
ORDER BY
  node;

-- splits
-- split: each row is a node that the slice publishes
SELECT
  c.level AS level,
  CAST(c.name AS TEXT) AS name,
  4 AS attempt
FROM (
  SELECT
    r."basket no" AS key,
    r."sku" AS name,
    r."level" AS level
  FROM release AS r
) AS c
WHERE
  c.level > 0
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM ledger_split AS s
    JOIN ledger_attempt AS a
      ON a.attempt = s.attempt AND a.event = 'done'
    WHERE
      s.level = c.level AND s.name = CAST(c.name AS TEXT)
  )
GROUP BY
  c.level,
  c.name;
