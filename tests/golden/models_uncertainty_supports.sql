-- masks
-- mask: each row is a subset of places, as a sum of bits, with the factors that pack its codes
WITH subset AS (
  SELECT
    CAST(a1.item AS BIGINT) AS mask
  FROM place AS a1
  UNION ALL
  SELECT
    CAST(a1.item AS BIGINT) + a2.item AS mask
  FROM place AS a1
  JOIN place AS a2
    ON a2.item > a1.item
  UNION ALL
  SELECT
    CAST(a1.item AS BIGINT) + a2.item + a3.item AS mask
  FROM place AS a1
  JOIN place AS a2
    ON a2.item > a1.item
  JOIN place AS a3
    ON a3.item > a2.item
), bit AS (
  SELECT
    p.item AS bit,
    ROW_NUMBER() OVER (ORDER BY p.item) AS place
  FROM place AS p
), member AS (
  SELECT
    s.mask AS mask,
    b.place AS place,
    ROW_NUMBER() OVER (PARTITION BY s.mask ORDER BY b.place) - 1 AS nth
  FROM subset AS s
  JOIN bit AS b
    ON s.mask % (
      2 * b.bit
    ) >= b.bit
), held AS (
  SELECT
    m.mask AS mask,
    m.place AS place,
    m.nth // 2 AS key,
    CASE m.nth % 2 WHEN 0 THEN 1 WHEN 1 THEN 2147483648 END AS factor
  FROM member AS m
)
SELECT
  h.mask AS mask,
  CAST(MAX(h.place) AS INT) AS top,
  CAST(COUNT(*) AS INT) AS size,
  CAST(SUM(CASE WHEN h.place = 1 AND h.key = 0 THEN h.factor ELSE 0 END) AS BIGINT) AS c_0_1,
  CAST(SUM(CASE WHEN h.place = 2 AND h.key = 0 THEN h.factor ELSE 0 END) AS BIGINT) AS c_0_2,
  CAST(SUM(CASE WHEN h.place = 3 AND h.key = 0 THEN h.factor ELSE 0 END) AS BIGINT) AS c_0_3,
  CAST(SUM(CASE WHEN h.place = 1 AND h.key = 1 THEN h.factor ELSE 0 END) AS BIGINT) AS c_1_1,
  CAST(SUM(CASE WHEN h.place = 2 AND h.key = 1 THEN h.factor ELSE 0 END) AS BIGINT) AS c_1_2,
  CAST(SUM(CASE WHEN h.place = 3 AND h.key = 1 THEN h.factor ELSE 0 END) AS BIGINT) AS c_1_3
FROM held AS h
GROUP BY
  h.mask;

-- facets
-- facet: each row is a subset of places and one of its places; s_n is 1 at that place
SELECT
  m.mask AS mask,
  m.top AS top,
  p.place AS place,
  r.c_0_1 AS c_0_1,
  r.c_0_2 AS c_0_2,
  r.c_0_3 AS c_0_3,
  r.c_1_1 AS c_1_1,
  r.c_1_2 AS c_1_2,
  r.c_1_3 AS c_1_3,
  CASE WHEN p.place = 1 THEN 1 ELSE 0 END AS s_1,
  CASE WHEN p.place = 2 THEN 1 ELSE 0 END AS s_2,
  CASE WHEN p.place = 3 THEN 1 ELSE 0 END AS s_3
FROM mask AS m
JOIN (
  SELECT
    f.top AS place,
    f.mask AS bit
  FROM mask AS f
  WHERE
    f.size = 1
) AS p
  ON m.mask % (
    2 * p.bit
  ) >= p.bit
JOIN mask AS r
  ON r.mask = m.mask - p.bit;

-- members
-- member: each row is a subset of places and one of its places
SELECT
  m.mask AS mask,
  m.top AS top,
  m.size AS size,
  p.place AS place,
  m.c_0_1 AS c_0_1,
  m.c_0_2 AS c_0_2,
  m.c_0_3 AS c_0_3,
  m.c_1_1 AS c_1_1,
  m.c_1_2 AS c_1_2,
  m.c_1_3 AS c_1_3
FROM mask AS m
JOIN (
  SELECT
    f.top AS place,
    f.mask AS bit
  FROM mask AS f
  WHERE
    f.size = 1
) AS p
  ON m.mask % (
    2 * p.bit
  ) >= p.bit;

-- arranged
-- arranged: each row is a guarded transaction with its remaining codes in columns
SELECT
  a.tid AS tid,
  a.part AS part,
  a.roll AS roll,
  a.held AS held,
  a.known AS known,
  MIN(a.tid) OVER (PARTITION BY a.part, a.p_1, a.p_2, a.p_3) AS alike,
  COUNT(*) OVER (PARTITION BY a.part, a.p_1, a.p_2, a.p_3) AS weight,
  a.p_1 AS p_1,
  a.p_2 AS p_2,
  a.p_3 AS p_3
FROM (
  SELECT
    s.tid AS tid,
    MIN(s.part) AS part,
    MIN(s.roll) AS roll,
    COUNT(*) AS held,
    COUNT(CASE WHEN s.code <= 40 THEN 1 END) AS known,
    MAX(CASE WHEN s.place = 1 THEN s.code ELSE 0 END) AS p_1,
    MAX(CASE WHEN s.place = 2 THEN s.code ELSE 0 END) AS p_2,
    MAX(CASE WHEN s.place = 3 THEN s.code ELSE 0 END) AS p_3
  FROM (
    SELECT
      w.tid AS tid,
      w.part AS part,
      w.roll AS roll,
      w.code AS code,
      ROW_NUMBER() OVER (PARTITION BY w.tid ORDER BY w.code) AS place
    FROM watched AS w
    WHERE
      NOT EXISTS(
        SELECT
          1
        FROM gone AS g
        WHERE
          g.tid = w.tid AND g.code = w.code
      )
  ) AS s
  GROUP BY
    s.tid
) AS a;

-- subsets
-- subset: each row is a kind of equal transactions and a subset of its items, packed into a key
SELECT
  a.tid AS shape,
  a.part AS part,
  a.weight AS weight,
  m.mask AS mask,
  CASE WHEN m.top > a.known THEN 1 ELSE 0 END AS telling,
  a.p_1 * m.c_0_1 + a.p_2 * m.c_0_2 + a.p_3 * m.c_0_3 AS k_0,
  a.p_1 * m.c_1_1 + a.p_2 * m.c_1_2 + a.p_3 * m.c_1_3 AS k_1
FROM arranged AS a
JOIN mask AS m
  ON m.top <= a.held
WHERE
  a.tid = a.alike;

-- counted-listed
-- counted: each row is an itemset with its support among guarded transactions
SELECT
  n.part AS part,
  n.support AS support,
  n.telling AS telling,
  CAST(n.example // 8 AS INT) AS shape,
  CAST(n.example % 8 AS INT) AS mask,
  n.k_0 AS k_0,
  n.k_1 AS k_1
FROM (
  SELECT
    s.part AS part,
    CAST(SUM(s.weight) AS BIGINT) AS support,
    MAX(s.telling) AS telling,
    MIN(CAST(s.shape AS BIGINT) * 8 + s.mask) AS example,
    s.k_0 AS k_0,
    s.k_1 AS k_1
  FROM subset AS s
  GROUP BY
    s.part,
    s.k_0,
    s.k_1
) AS n;

-- counted-at-once
-- counted: each row is an itemset with its support among guarded transactions
SELECT
  n.part AS part,
  n.support AS support,
  n.telling AS telling,
  CAST(n.example // 8 AS INT) AS shape,
  CAST(n.example % 8 AS INT) AS mask,
  n.k_0 AS k_0,
  n.k_1 AS k_1
FROM (
  SELECT
    s.part AS part,
    CAST(SUM(s.weight) AS BIGINT) AS support,
    MAX(s.telling) AS telling,
    MIN(CAST(s.shape AS BIGINT) * 8 + s.mask) AS example,
    s.k_0 AS k_0,
    s.k_1 AS k_1
  FROM (
    SELECT
      a.tid AS shape,
      a.part AS part,
      a.weight AS weight,
      m.mask AS mask,
      CASE WHEN m.top > a.known THEN 1 ELSE 0 END AS telling,
      a.p_1 * m.c_0_1 + a.p_2 * m.c_0_2 + a.p_3 * m.c_0_3 AS k_0,
      a.p_1 * m.c_1_1 + a.p_2 * m.c_1_2 + a.p_3 * m.c_1_3 AS k_1
    FROM arranged AS a
    JOIN mask AS m
      ON m.top <= a.held
    WHERE
      a.tid = a.alike
  ) AS s
  GROUP BY
    s.part,
    s.k_0,
    s.k_1
) AS n;

-- reached-2
-- reached_2: each row is a transaction that is not guarded, and such an itemset of 2 items
SELECT
  n.tid AS tid,
  n.part AS part,
  n.last AS last,
  n.k_0 AS k_0,
  n.k_1 AS k_1
FROM (
  SELECT
    r.tid AS tid,
    r.part AS part,
    a.code AS last,
    CAST(r.k_0 + a.code * 2147483648 AS BIGINT) AS k_0,
    r.k_1 AS k_1
  FROM reached_1 AS r
  JOIN apart AS a
    ON a.tid = r.tid AND a.code > r.last
) AS n
WHERE
  EXISTS(
    SELECT
      1
    FROM counted AS c
    WHERE
      c.telling = 0 AND c.part = n.part AND c.k_0 = n.k_0 AND c.k_1 = n.k_1
  );

-- reached-3
-- reached_3: each row is a transaction that is not guarded, and such an itemset of 3 items
SELECT
  n.tid AS tid,
  n.part AS part,
  n.last AS last,
  n.k_0 AS k_0,
  n.k_1 AS k_1
FROM (
  SELECT
    r.tid AS tid,
    r.part AS part,
    a.code AS last,
    CAST(r.k_1 + a.code AS BIGINT) AS k_1,
    r.k_0 AS k_0
  FROM reached_2 AS r
  JOIN apart AS a
    ON a.tid = r.tid AND a.code > r.last
) AS n
WHERE
  EXISTS(
    SELECT
      1
    FROM counted AS c
    WHERE
      c.telling = 0 AND c.part = n.part AND c.k_0 = n.k_0 AND c.k_1 = n.k_1
  );

-- elsewhere
-- elsewhere: each row is an itemset with its support among transactions that are not guarded
SELECT
  r.part AS part,
  COUNT(*) AS support,
  r.k_0 AS k_0,
  r.k_1 AS k_1
FROM reached_2 AS r
GROUP BY
  r.part,
  r.k_0,
  r.k_1;

-- arranged-persons
-- arranged: each row is a guarded transaction with its remaining codes in columns
SELECT
  a.tid AS tid,
  a.part AS part,
  a.roll AS roll,
  a.held AS held,
  a.known AS known,
  MIN(a.tid) OVER (PARTITION BY a.part, a.p_1, a.p_2, a.p_3) AS alike,
  COUNT(*) OVER (PARTITION BY a.part, a.p_1, a.p_2, a.p_3) AS weight,
  a.person AS person,
  a.again AS again,
  a.p_1 AS p_1,
  a.p_2 AS p_2,
  a.p_3 AS p_3
FROM (
  SELECT
    s.tid AS tid,
    MIN(s.part) AS part,
    MIN(s.roll) AS roll,
    COUNT(*) AS held,
    COUNT(CASE WHEN s.code <= 40 THEN 1 END) AS known,
    MIN(s.person) AS person,
    CAST(SUM(
      CASE WHEN s.again = 1 THEN CAST(1 AS BIGINT) << CAST(s.place - 1 AS INT) ELSE 0 END
    ) AS BIGINT) AS again,
    MAX(CASE WHEN s.place = 1 THEN s.code ELSE 0 END) AS p_1,
    MAX(CASE WHEN s.place = 2 THEN s.code ELSE 0 END) AS p_2,
    MAX(CASE WHEN s.place = 3 THEN s.code ELSE 0 END) AS p_3
  FROM (
    SELECT
      w.tid AS tid,
      w.part AS part,
      w.roll AS roll,
      w.code AS code,
      w.person AS person,
      w.again AS again,
      ROW_NUMBER() OVER (PARTITION BY w.tid ORDER BY w.code) AS place
    FROM watched AS w
    WHERE
      NOT EXISTS(
        SELECT
          1
        FROM gone AS g
        WHERE
          g.tid = w.tid AND g.code = w.code
      )
  ) AS s
  GROUP BY
    s.tid
) AS a;

-- own_holders
-- own_holder: each row is an itemset and a person who may hold it in several transactions, and the number of guarded ones
SELECT
  h.part AS part,
  h.person AS person,
  COUNT(*) AS held,
  h.k_0 AS k_0,
  h.k_1 AS k_1
FROM (
  SELECT
    a.part AS part,
    a.person AS person,
    a.p_1 * m.c_0_1 + a.p_2 * m.c_0_2 + a.p_3 * m.c_0_3 AS k_0,
    a.p_1 * m.c_1_1 + a.p_2 * m.c_1_2 + a.p_3 * m.c_1_3 AS k_1
  FROM arranged AS a
  JOIN mask AS m
    ON m.top <= a.held AND (
      m.mask & a.again
    ) = m.mask
  WHERE
    a.again > 0
) AS h
GROUP BY
  h.part,
  h.person,
  h.k_0,
  h.k_1;

-- counted-persons
-- counted: each row is an itemset with its support among guarded transactions
SELECT
  c.part AS part,
  c.support AS support,
  c.telling AS telling,
  c.shape AS shape,
  c.mask AS mask,
  c.support - COALESCE(x.further, 0) AS persons,
  c.k_0 AS k_0,
  c.k_1 AS k_1
FROM (
  SELECT
    n.part AS part,
    n.support AS support,
    n.telling AS telling,
    CAST(n.example // 8 AS INT) AS shape,
    CAST(n.example % 8 AS INT) AS mask,
    n.k_0 AS k_0,
    n.k_1 AS k_1
  FROM (
    SELECT
      s.part AS part,
      CAST(SUM(s.weight) AS BIGINT) AS support,
      MAX(s.telling) AS telling,
      MIN(CAST(s.shape AS BIGINT) * 8 + s.mask) AS example,
      s.k_0 AS k_0,
      s.k_1 AS k_1
    FROM subset AS s
    GROUP BY
      s.part,
      s.k_0,
      s.k_1
  ) AS n
) AS c
LEFT JOIN (
  SELECT
    h.part AS part,
    h.k_0 AS k_0,
    h.k_1 AS k_1,
    CAST(SUM(h.held - CASE WHEN o.person IS NULL THEN 1 ELSE 0 END) AS BIGINT) AS further
  FROM own_holder AS h
  LEFT JOIN outer_holder AS o
    ON o.part = h.part AND o.person = h.person AND o.k_0 = h.k_0 AND o.k_1 = h.k_1
  GROUP BY
    h.part,
    h.k_0,
    h.k_1
) AS x
  ON x.part = c.part AND x.k_0 = c.k_0 AND x.k_1 = c.k_1;

-- reached-persons-1
-- reached_1: each row is a transaction that is not guarded, and such an itemset of 1 items
SELECT
  n.tid AS tid,
  n.part AS part,
  n.last AS last,
  n.again AS again,
  n.k_0 AS k_0,
  n.k_1 AS k_1
FROM (
  SELECT
    a.tid AS tid,
    a.part AS part,
    a.code AS last,
    a.again AS again,
    CAST(a.code AS BIGINT) AS k_0,
    CAST(0 AS BIGINT) AS k_1
  FROM apart AS a
) AS n
WHERE
  EXISTS(
    SELECT
      1
    FROM counted AS c
    WHERE
      c.telling = 0 AND c.part = n.part AND c.k_0 = n.k_0 AND c.k_1 = n.k_1
  );

-- reached-persons-2
-- reached_2: each row is a transaction that is not guarded, and such an itemset of 2 items
SELECT
  n.tid AS tid,
  n.part AS part,
  n.last AS last,
  n.again AS again,
  n.k_0 AS k_0,
  n.k_1 AS k_1
FROM (
  SELECT
    r.tid AS tid,
    r.part AS part,
    a.code AS last,
    LEAST(r.again, a.again) AS again,
    CAST(r.k_0 + a.code * 2147483648 AS BIGINT) AS k_0,
    r.k_1 AS k_1
  FROM reached_1 AS r
  JOIN apart AS a
    ON a.tid = r.tid AND a.code > r.last
) AS n
WHERE
  EXISTS(
    SELECT
      1
    FROM counted AS c
    WHERE
      c.telling = 0 AND c.part = n.part AND c.k_0 = n.k_0 AND c.k_1 = n.k_1
  );

-- elsewhere-persons
-- elsewhere: each row is an itemset with its support among transactions that are not guarded
SELECT
  r.part AS part,
  CAST(SUM(r.held) AS BIGINT) AS support,
  CAST(SUM(r.persons) AS BIGINT) AS persons,
  r.k_0 AS k_0,
  r.k_1 AS k_1
FROM (
  SELECT
    r.part AS part,
    COUNT(*) AS held,
    COUNT(*) AS persons,
    r.k_0 AS k_0,
    r.k_1 AS k_1
  FROM reached_2 AS r
  WHERE
    r.again = 0
  GROUP BY
    r.part,
    r.k_0,
    r.k_1
  UNION ALL
  SELECT
    r.part AS part,
    COUNT(*) AS held,
    1 AS persons,
    r.k_0 AS k_0,
    r.k_1 AS k_1
  FROM reached_2 AS r
  JOIN basket AS b
    ON b.tid = r.tid
  WHERE
    r.again > 0
  GROUP BY
    r.part,
    b.person,
    r.k_0,
    r.k_1
) AS r
GROUP BY
  r.part,
  r.k_0,
  r.k_1;

-- outer_holders
-- outer_holder: each row is an itemset and a person: a transaction that is not guarded holds it, and a guarded one may too
SELECT DISTINCT
  r.part AS part,
  b.person AS person,
  r.k_0 AS k_0,
  r.k_1 AS k_1
FROM reached_2 AS r
JOIN basket AS b
  ON b.tid = r.tid
WHERE
  r.again = 2;
