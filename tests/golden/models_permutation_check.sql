-- unkeyed
-- check_unkeyed: counts rows without a transaction id: there must be none
SELECT
  COUNT(*) AS unkeyed
FROM release_cell AS r
WHERE
  r.key IS NULL;

-- with_items_of
-- item: adds the items of the second relation, to look up names
SELECT
  CAST(m.most + ROW_NUMBER() OVER (ORDER BY c.name) AS INT) AS item,
  c.name AS name,
  c.support AS support
FROM (
  SELECT
    r.name AS name,
    CAST(COALESCE(SUM(r.held), 0) AS BIGINT) AS support
  FROM (
    SELECT
      CAST(r."group" AS TEXT) AS number,
      r."o'brien" AS name,
      CAST(r."count" AS BIGINT) AS held
    FROM release_sensitive AS r
  ) AS r
  WHERE
    NOT r.name IS NULL
  GROUP BY
    r.name
) AS c
CROSS JOIN (
  SELECT
    COALESCE(MAX(i.item), -1) AS most
  FROM item AS i
) AS m
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM item AS i
    WHERE
      CAST(i.name AS TEXT) = CAST(c.name AS TEXT)
  );

-- faults
-- check_fault: each row is a fault of the release: there must be none
SELECT
  1 AS kind,
  c.number AS number,
  c.name AS name,
  COALESCE(c.held, 0) AS held,
  COALESCE(s.size, 0) AS size
FROM check_count AS c
LEFT JOIN check_size AS s
  ON s.number = c.number
WHERE
  c.least < 1 OR c.name IS NULL OR c.held * 4 > COALESCE(s.size, 0)
UNION ALL
SELECT
  2 AS kind,
  CAST(NULL AS TEXT) AS number,
  o.name AS name,
  o.held AS held,
  o.held AS size
FROM (
  SELECT
    l.label AS name,
    COUNT(DISTINCT r.key) AS held
  FROM release_cell AS r
  JOIN listed AS l
    ON l.label = CAST(r.name AS TEXT)
  GROUP BY
    l.label
) AS o
UNION ALL
SELECT
  3 AS kind,
  CAST(NULL AS TEXT) AS number,
  CAST(NULL AS TEXT) AS name,
  t.groups AS held,
  t.groups AS size
FROM (
  SELECT
    m.key AS key,
    COUNT(m.number) AS groups,
    COUNT(*) AS stated
  FROM check_member AS m
  GROUP BY
    m.key
) AS t
WHERE
  t.groups <> 1 OR t.stated <> 1 OR t.key IS NULL;

-- with_items_of-persons
-- item: adds the items of the second relation, to look up names
SELECT
  CAST(m.most + ROW_NUMBER() OVER (ORDER BY c.name) AS INT) AS item,
  c.name AS name,
  c.support AS support,
  c.support AS persons,
  1 AS most
FROM (
  SELECT
    r.name AS name,
    CAST(COALESCE(SUM(r.held), 0) AS BIGINT) AS support
  FROM (
    SELECT
      CAST(r."group" AS TEXT) AS number,
      r."o'brien" AS name,
      CAST(r."count" AS BIGINT) AS held
    FROM release_sensitive AS r
  ) AS r
  WHERE
    NOT r.name IS NULL
  GROUP BY
    r.name
) AS c
CROSS JOIN (
  SELECT
    COALESCE(MAX(i.item), -1) AS most
  FROM item AS i
) AS m
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM item AS i
    WHERE
      CAST(i.name AS TEXT) = CAST(c.name AS TEXT)
  );

-- faults-persons
-- check_fault: each row is a fault of the release: there must be none
SELECT
  1 AS kind,
  c.number AS number,
  c.name AS name,
  COALESCE(c.held, 0) AS held,
  COALESCE(s.size, 0) AS size
FROM check_count AS c
LEFT JOIN check_size AS s
  ON s.number = c.number
WHERE
  c.least < 1 OR c.name IS NULL OR c.held * 4 > COALESCE(s.size, 0)
UNION ALL
SELECT
  2 AS kind,
  CAST(NULL AS TEXT) AS number,
  o.name AS name,
  o.held AS held,
  o.held AS size
FROM (
  SELECT
    l.label AS name,
    COUNT(DISTINCT r.key) AS held
  FROM release_cell AS r
  JOIN listed AS l
    ON l.label = CAST(r.name AS TEXT)
  GROUP BY
    l.label
) AS o
UNION ALL
SELECT
  3 AS kind,
  CAST(NULL AS TEXT) AS number,
  CAST(NULL AS TEXT) AS name,
  t.groups AS held,
  t.groups AS size
FROM (
  SELECT
    m.key AS key,
    COUNT(m.number) AS groups,
    COUNT(*) AS stated
  FROM check_member AS m
  GROUP BY
    m.key
) AS t
WHERE
  t.groups <> 1 OR t.stated <> 1 OR t.key IS NULL
UNION ALL
SELECT
  4 AS kind,
  p.number AS number,
  CAST(NULL AS TEXT) AS name,
  p.held AS held,
  p.held AS size
FROM (
  SELECT
    m.number AS number,
    o.person AS person,
    COUNT(*) AS held
  FROM check_member AS m
  JOIN check_owner AS o
    ON o.key = m.key
  GROUP BY
    m.number,
    o.person
) AS p
WHERE
  p.held > 1;

-- faults-sliced
-- check_fault: each row is a fault of the release: there must be none
SELECT
  1 AS kind,
  c.number AS number,
  c.name AS name,
  COALESCE(c.held, 0) AS held,
  COALESCE(s.size, 0) AS size
FROM check_count AS c
LEFT JOIN check_size AS s
  ON s.number = c.number
WHERE
  c.least < 1 OR c.name IS NULL OR c.held * 4 > COALESCE(s.size, 0)
UNION ALL
SELECT
  2 AS kind,
  CAST(NULL AS TEXT) AS number,
  o.name AS name,
  o.held AS held,
  o.held AS size
FROM (
  SELECT
    l.label AS name,
    COUNT(DISTINCT r.key) AS held
  FROM release_cell AS r
  JOIN listed AS l
    ON l.label = CAST(r.name AS TEXT)
  GROUP BY
    l.label
) AS o
UNION ALL
SELECT
  3 AS kind,
  CAST(NULL AS TEXT) AS number,
  CAST(NULL AS TEXT) AS name,
  t.groups AS held,
  t.groups AS size
FROM (
  SELECT
    m.key AS key,
    COUNT(m.number) AS groups,
    COUNT(*) AS stated
  FROM check_member AS m
  GROUP BY
    m.key
) AS t
WHERE
  t.groups <> 1 OR t.stated <> 1 OR t.key IS NULL
UNION ALL
SELECT
  5 AS kind,
  t.number AS number,
  CAST(NULL AS TEXT) AS name,
  t.held AS held,
  t.held AS size
FROM (
  SELECT
    s.number AS number,
    COUNT(DISTINCT s.slice) AS held,
    COUNT(*) AS stated,
    COUNT(s.slice) AS sliced
  FROM (
    SELECT
      CAST(r."group" AS TEXT) AS number,
      r."slice" AS slice
    FROM source AS r
    UNION ALL
    SELECT
      CAST(c."group" AS TEXT) AS number,
      c."slice" AS slice
    FROM counted AS c
  ) AS s
  GROUP BY
    s.number
) AS t
WHERE
  t.held <> 1 OR t.stated <> t.sliced;

-- counted
-- counted: each row is a group, an item and how many hold it, read again
SELECT
  c.number AS number,
  c.name AS name,
  c.held AS held
FROM (
  SELECT
    CAST(r."group" AS TEXT) AS number,
    r."o'brien" AS name,
    CAST(r."count" AS BIGINT) AS held
  FROM release_sensitive AS r
) AS c;

-- members
-- check_member: each row is a transaction of the release and its group
SELECT DISTINCT
  g.key AS key,
  g.number AS number
FROM (
  SELECT
    r."basket no" AS key,
    CAST(r."group" AS TEXT) AS number
  FROM release AS r
) AS g;

-- sizes
-- check_size: each row is a group and the number of its transactions
SELECT
  m.number AS number,
  COUNT(*) AS size
FROM check_member AS m
WHERE
  NOT m.number IS NULL AND NOT m.key IS NULL
GROUP BY
  m.number;

-- counts
-- check_count: each row is a group, an item and how many hold it
SELECT
  c.number AS number,
  CAST(c.name AS TEXT) AS name,
  CAST(SUM(c.held) AS BIGINT) AS held,
  MIN(COALESCE(c.held, 0)) AS least
FROM (
  SELECT
    CAST(r."group" AS TEXT) AS number,
    r."o'brien" AS name,
    CAST(r."count" AS BIGINT) AS held
  FROM release_sensitive AS r
) AS c
GROUP BY
  c.number,
  CAST(c.name AS TEXT);

-- summary
-- check_summary: counts the faults, and what was checked
SELECT
  f.found AS found,
  c.checked AS checked,
  s.sized AS sized,
  s.smallest AS smallest,
  t.transactions AS transactions
FROM (
  SELECT
    COUNT(*) AS found
  FROM check_fault AS r
) AS f
CROSS JOIN (
  SELECT
    COUNT(*) AS checked
  FROM check_count AS r
) AS c
CROSS JOIN (
  SELECT
    COUNT(*) AS sized,
    COALESCE(MIN(r.size), 0) AS smallest
  FROM check_size AS r
) AS s
CROSS JOIN (
  SELECT
    COUNT(*) AS transactions
  FROM (
    SELECT DISTINCT
      m.key AS key
    FROM check_member AS m
  ) AS r
) AS t;

-- worst
-- check_worst: lists the worst faults
SELECT
  f.kind AS kind,
  f.number AS number,
  f.name AS name,
  f.held AS held,
  f.size AS size
FROM check_fault AS f
ORDER BY
  f.kind,
  f.held * 1000000 // CASE WHEN f.size > 0 THEN f.size ELSE 1 END DESC,
  f.held DESC,
  f.number,
  f.name
LIMIT 20;
