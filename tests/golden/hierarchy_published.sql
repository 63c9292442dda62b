-- nodes
-- published_node: each row is a node that the release publishes
SELECT DISTINCT
  CAST(c.level AS INT) AS level,
  CAST(c.name AS TEXT) AS name
FROM (
  SELECT
    r."basket no" AS key,
    r."sku" AS name,
    r."level" AS level
  FROM release AS r
) AS c
WHERE
  NOT c.name IS NULL;

-- strange
-- strange: lists published nodes that the hierarchy lacks: none may be
SELECT
  p.level AS level,
  p.name AS name,
  COUNT(*) OVER () AS found
FROM published_node AS p
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM node AS n
    WHERE
      n.level = p.level AND n.label = p.name
  )
ORDER BY
  level,
  name
LIMIT 5;

-- members
-- named_member: each row is an item that enough hold to be named below a node
SELECT
  CAST(i.name AS TEXT) AS name
FROM item AS i
WHERE
  i.support >= 20
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM private_item AS r
    WHERE
      r.item = i.item
  );

-- members-persons
-- named_member: each row is an item that enough hold to be named below a node
SELECT
  CAST(i.name AS TEXT) AS name
FROM item AS i
WHERE
  i.persons >= 20
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM private_item AS r
    WHERE
      r.item = i.item
  );

-- members-none
-- named_member: each row is an item that enough hold to be named below a node
SELECT
  CAST(i.name AS TEXT) AS name
FROM item AS i
WHERE
  FALSE
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM private_item AS r
    WHERE
      r.item = i.item
  );

-- readable
-- readable: each row is a leaf, and the lowest level shown of its path
SELECT
  a.name AS name,
  MIN(CASE WHEN m.name IS NULL THEN a.level ELSE 0 END) AS lowest
FROM check_ancestor AS a
JOIN published_node AS p
  ON p.level = a.level AND p.name = a.label
LEFT JOIN named_member AS m
  ON m.name = a.name
WHERE
  a.level <= 2
GROUP BY
  a.name;
