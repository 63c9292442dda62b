-- placed
-- placed: each row is an occurrence, with the number of later codes and secrets beside it
SELECT
  h.tid AS tid,
  h.part AS part,
  h.code AS code,
  COUNT(*) OVER (PARTITION BY h.tid) - ROW_NUMBER() OVER (PARTITION BY h.tid ORDER BY h.code) AS rest,
  COUNT(CASE WHEN h.code > 40 THEN 1 END) OVER (PARTITION BY h.tid) AS secrets
FROM held AS h;

-- placed-persons
-- placed: each row is an occurrence, with the number of later codes and secrets beside it
SELECT
  h.tid AS tid,
  h.part AS part,
  h.code AS code,
  h.person AS person,
  COUNT(*) OVER (PARTITION BY h.tid) - ROW_NUMBER() OVER (PARTITION BY h.tid ORDER BY h.code) AS rest,
  COUNT(CASE WHEN h.code > 40 THEN 1 END) OVER (PARTITION BY h.tid) AS secrets
FROM held AS h;

-- sets-1
-- set_1: each row is a set of 1 items that a transaction with a secret holds, with support
SELECT
  ROW_NUMBER() OVER (ORDER BY g.part, g.c_1) AS id,
  g.part AS part,
  g.c_1 AS c_1,
  g.support AS support
FROM (
  SELECT
    p.part AS part,
    p.code AS c_1,
    COUNT(*) AS support
  FROM placed AS p
  GROUP BY
    p.part,
    p.code
  HAVING
    MAX(p.secrets) > 0
) AS g;

-- met-1
-- met_1: each row is a transaction and a set of 1 items that it holds
SELECT
  p.tid AS tid,
  s.id AS id,
  p.code AS last,
  p.rest AS rest,
  p.secrets AS secrets,
  s.support AS support
FROM set_1 AS s
JOIN placed AS p
  ON p.part = s.part AND p.code = s.c_1;

-- sets-2
-- set_2: each row is a set of 2 items that a transaction with a secret holds, with support
SELECT
  ROW_NUMBER() OVER (ORDER BY g.parent, g.code) AS id,
  s.part AS part,
  g.parent AS parent,
  s.c_1 AS c_1,
  g.code AS c_2,
  g.support AS support
FROM (
  SELECT
    m.id AS parent,
    p.code AS code,
    COUNT(*) AS support
  FROM met_1 AS m
  JOIN placed AS p
    ON p.tid = m.tid AND p.code > m.last
  WHERE
    m.support > 1
  GROUP BY
    m.id,
    p.code
  HAVING
    MAX(p.secrets) > 0
) AS g
JOIN set_1 AS s
  ON s.id = g.parent
WHERE
  g.support < s.support;

-- met-2
-- met_2: each row is a transaction and a set of 2 items that it holds
SELECT
  p.tid AS tid,
  s.id AS id,
  p.code AS last,
  p.rest AS rest,
  p.secrets AS secrets,
  s.support AS support
FROM set_2 AS s
JOIN met_1 AS m
  ON m.id = s.parent AND m.support > 1
JOIN placed AS p
  ON p.tid = m.tid AND p.code = s.c_2;

-- sets-3
-- set_3: each row is a set of 3 items that a transaction with a secret holds, with support
SELECT
  ROW_NUMBER() OVER (ORDER BY g.parent, g.code) AS id,
  s.part AS part,
  g.parent AS parent,
  s.c_1 AS c_1,
  s.c_2 AS c_2,
  g.code AS c_3,
  g.support AS support
FROM (
  SELECT
    m.id AS parent,
    p.code AS code,
    COUNT(*) AS support
  FROM met_2 AS m
  JOIN placed AS p
    ON p.tid = m.tid AND p.code > m.last
  WHERE
    m.support > 1
  GROUP BY
    m.id,
    p.code
  HAVING
    MAX(p.secrets) > 0
) AS g
JOIN set_2 AS s
  ON s.id = g.parent
WHERE
  g.support < s.support;

-- met-3
-- met_3: each row is a transaction and a set of 3 items that it holds
SELECT
  p.tid AS tid,
  s.id AS id,
  p.code AS last,
  p.rest AS rest,
  p.secrets AS secrets,
  s.support AS support
FROM set_3 AS s
JOIN met_2 AS m
  ON m.id = s.parent AND m.support > 1
JOIN placed AS p
  ON p.tid = m.tid AND p.code = s.c_3;

-- sets-persons
-- set_2: each row is a set of 2 items that a transaction with a secret holds, with support
SELECT
  ROW_NUMBER() OVER (ORDER BY g.parent, g.code) AS id,
  s.part AS part,
  g.parent AS parent,
  s.c_1 AS c_1,
  g.code AS c_2,
  g.support AS support,
  g.persons AS persons
FROM (
  SELECT
    m.id AS parent,
    p.code AS code,
    COUNT(*) AS support,
    COUNT(DISTINCT m.person) AS persons
  FROM met_1 AS m
  JOIN placed AS p
    ON p.tid = m.tid AND p.code > m.last
  WHERE
    m.support > 1
  GROUP BY
    m.id,
    p.code
  HAVING
    MAX(p.secrets) > 0
) AS g
JOIN set_1 AS s
  ON s.id = g.parent
WHERE
  g.support < s.support;

-- met-persons
-- met_2: each row is a transaction and a set of 2 items that it holds
SELECT
  p.tid AS tid,
  s.id AS id,
  p.code AS last,
  p.rest AS rest,
  p.secrets AS secrets,
  s.support AS support,
  p.person AS person,
  s.persons AS persons
FROM set_2 AS s
JOIN met_1 AS m
  ON m.id = s.parent AND m.support > 1
JOIN placed AS p
  ON p.tid = m.tid AND p.code = s.c_2;

-- outlook
-- outlook_2: counts rows to be joined: the run refuses too many
SELECT
  CAST(COALESCE(SUM(CASE WHEN m.support > 1 THEN m.rest ELSE 0 END), 0) AS BIGINT) AS larger,
  CAST(COALESCE(SUM(m.secrets), 0) AS BIGINT) AS rules
FROM met_2 AS m;

-- unsafe
-- unsafe_2: each row is a rule above rho: a set of 2 known items and a secret
SELECT
  2 AS size,
  r.id AS id,
  s.part AS part,
  r.secret AS secret,
  r.support AS support,
  s.support AS known,
  s.c_1 AS c_1,
  s.c_2 AS c_2
FROM (
  SELECT
    w.rule // 2654435761 AS id,
    w.rule % 2654435761 AS secret,
    COUNT(*) AS support
  FROM (
    SELECT
      m.id * 2654435761 + p.code AS rule,
      m.support AS known
    FROM met_2 AS m
    JOIN placed AS p
      ON p.tid = m.tid AND p.code > 40
    WHERE
      m.id > 7 AND m.id <= 40
  ) AS w
  GROUP BY
    w.rule,
    w.known
  HAVING
    COUNT(*) * 10 > 7 * w.known
) AS r
JOIN set_2 AS s
  ON s.id = r.id
WHERE
  r.secret <> s.c_1 AND r.secret <> s.c_2;

-- unsafe-persons
-- unsafe_2: each row is a rule above rho: a set of 2 known items and a secret
SELECT
  2 AS size,
  r.id AS id,
  s.part AS part,
  r.secret AS secret,
  r.support AS support,
  s.support AS known,
  s.c_1 AS c_1,
  s.c_2 AS c_2
FROM (
  SELECT
    w.rule // 2654435761 AS id,
    w.rule % 2654435761 AS secret,
    COUNT(*) AS support
  FROM (
    SELECT
      m.id * 2654435761 + p.code AS rule,
      m.support AS known,
      m.person AS person,
      m.persons AS persons
    FROM met_2 AS m
    JOIN placed AS p
      ON p.tid = m.tid AND p.code > 40
    WHERE
      m.id > 0 AND m.id <= 9007199254740992
  ) AS w
  GROUP BY
    w.rule,
    w.known,
    w.persons
  HAVING
    COUNT(*) * 10 > 7 * w.known OR COUNT(DISTINCT w.person) * 10 > 7 * w.persons
) AS r
JOIN set_2 AS s
  ON s.id = r.id
WHERE
  r.secret <> s.c_1 AND r.secret <> s.c_2;

-- all_unsafe
-- unsafe: each row is an unsafe rule, whatever its size
SELECT
  u.size AS size,
  u.id AS id,
  u.part AS part,
  u.secret AS secret,
  u.support AS support,
  u.known AS known,
  u.c_1 AS c_1,
  0 AS c_2
FROM unsafe_1 AS u
UNION ALL
SELECT
  u.size AS size,
  u.id AS id,
  u.part AS part,
  u.secret AS secret,
  u.support AS support,
  u.known AS known,
  u.c_1 AS c_1,
  u.c_2 AS c_2
FROM unsafe_2 AS u;
