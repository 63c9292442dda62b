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
-- subset: each row is a kind of equal transactions and a subset of its items with a sensitive one, packed into a key
SELECT
  a.tid AS shape,
  a.part AS part,
  a.weight AS weight,
  m.mask AS mask,
  a.p_1 * m.c_0_1 + a.p_2 * m.c_0_2 + a.p_3 * m.c_0_3 AS k_0,
  a.p_1 * m.c_1_1 + a.p_2 * m.c_1_2 + a.p_3 * m.c_1_3 AS k_1
FROM arranged AS a
JOIN mask AS m
  ON m.top <= a.held AND m.top > a.known
WHERE
  a.tid = a.alike AND a.known < a.held;

-- counted-listed
-- counted: each row is an itemset with its support; telling marks those with a sensitive item
SELECT
  n.part AS part,
  n.support AS support,
  1 AS telling,
  CAST(n.example // 8 AS INT) AS shape,
  CAST(n.example % 8 AS INT) AS mask,
  n.k_0 AS k_0,
  n.k_1 AS k_1
FROM (
  SELECT
    s.part AS part,
    CAST(SUM(s.weight) AS BIGINT) AS support,
    MIN(CAST(s.shape AS BIGINT) * 8 + s.mask) AS example,
    s.k_0 AS k_0,
    s.k_1 AS k_1
  FROM subset AS s
  GROUP BY
    s.part,
    s.k_0,
    s.k_1
) AS n
UNION ALL
SELECT
  h.part AS part,
  h.support AS support,
  0 AS telling,
  CAST(0 AS INT) AS shape,
  CAST(0 AS INT) AS mask,
  h.k_0 AS k_0,
  h.k_1 AS k_1
FROM cohort AS h;

-- counted-at-once
-- counted: each row is an itemset with its support; telling marks those with a sensitive item
WITH altered AS (
  SELECT
    b.tid AS tid
  FROM begun AS b
  LEFT JOIN arranged AS a
    ON a.tid = b.tid
  WHERE
    a.tid IS NULL
    OR a.known <> b.known
    OR (
      b.known >= 1 AND a.p_1 <> b.p_1
    )
    OR (
      b.known >= 2 AND a.p_2 <> b.p_2
    )
    OR (
      b.known >= 3 AND a.p_3 <> b.p_3
    )
), changed AS (
  SELECT
    n.part AS part,
    CAST(SUM(n.more) AS BIGINT) AS more,
    n.k_0 AS k_0,
    n.k_1 AS k_1
  FROM (
    SELECT
      b.part AS part,
      -1 AS more,
      b.p_1 * m.c_0_1 + b.p_2 * m.c_0_2 + b.p_3 * m.c_0_3 AS k_0,
      b.p_1 * m.c_1_1 + b.p_2 * m.c_1_2 + b.p_3 * m.c_1_3 AS k_1
    FROM begun AS b
    JOIN altered AS x
      ON x.tid = b.tid
    JOIN mask AS m
      ON m.top <= b.known AND m.size < 3
    UNION ALL
    SELECT
      a.part AS part,
      1 AS more,
      a.p_1 * m.c_0_1 + a.p_2 * m.c_0_2 + a.p_3 * m.c_0_3 AS k_0,
      a.p_1 * m.c_1_1 + a.p_2 * m.c_1_2 + a.p_3 * m.c_1_3 AS k_1
    FROM arranged AS a
    JOIN altered AS x
      ON x.tid = a.tid
    JOIN mask AS m
      ON m.top <= a.known AND m.size < 3
  ) AS n
  GROUP BY
    n.part,
    n.k_0,
    n.k_1
  HAVING
    SUM(n.more) <> 0
)
SELECT
  n.part AS part,
  n.support AS support,
  1 AS telling,
  CAST(n.example // 8 AS INT) AS shape,
  CAST(n.example % 8 AS INT) AS mask,
  n.k_0 AS k_0,
  n.k_1 AS k_1
FROM (
  SELECT
    s.part AS part,
    CAST(SUM(s.weight) AS BIGINT) AS support,
    MIN(CAST(s.shape AS BIGINT) * 8 + s.mask) AS example,
    s.k_0 AS k_0,
    s.k_1 AS k_1
  FROM (
    SELECT
      a.tid AS shape,
      a.part AS part,
      a.weight AS weight,
      m.mask AS mask,
      a.p_1 * m.c_0_1 + a.p_2 * m.c_0_2 + a.p_3 * m.c_0_3 AS k_0,
      a.p_1 * m.c_1_1 + a.p_2 * m.c_1_2 + a.p_3 * m.c_1_3 AS k_1
    FROM arranged AS a
    JOIN mask AS m
      ON m.top <= a.held AND m.top > a.known
    WHERE
      a.tid = a.alike AND a.known < a.held
  ) AS s
  GROUP BY
    s.part,
    s.k_0,
    s.k_1
) AS n
UNION ALL
SELECT
  h.part AS part,
  h.support + COALESCE(x.more, 0) AS support,
  0 AS telling,
  CAST(0 AS INT) AS shape,
  CAST(0 AS INT) AS mask,
  h.k_0 AS k_0,
  h.k_1 AS k_1
FROM cohort AS h
LEFT JOIN changed AS x
  ON x.part = h.part AND x.k_0 = h.k_0 AND x.k_1 = h.k_1;

-- counted-evenly
-- counted: each row is an itemset with its support; telling marks those with a sensitive item
SELECT
  n.part AS part,
  n.support AS support,
  1 AS telling,
  CAST(n.example // 8 AS INT) AS shape,
  CAST(n.example % 8 AS INT) AS mask,
  n.k_0 AS k_0,
  n.k_1 AS k_1
FROM (
  SELECT
    s.part AS part,
    CAST(SUM(s.weight) AS BIGINT) AS support,
    MIN(CAST(s.shape AS BIGINT) * 8 + s.mask) AS example,
    s.k_0 AS k_0,
    s.k_1 AS k_1
  FROM subset AS s
  GROUP BY
    s.part,
    s.k_0,
    s.k_1
) AS n
UNION ALL
SELECT
  n.part AS part,
  CAST(SUM(n.support) AS BIGINT) AS support,
  0 AS telling,
  CAST(0 AS INT) AS shape,
  CAST(0 AS INT) AS mask,
  n.k_0 AS k_0,
  n.k_1 AS k_1
FROM (
  SELECT
    a.part AS part,
    a.weight AS support,
    a.p_1 * m.c_0_1 + a.p_2 * m.c_0_2 + a.p_3 * m.c_0_3 AS k_0,
    a.p_1 * m.c_1_1 + a.p_2 * m.c_1_2 + a.p_3 * m.c_1_3 AS k_1
  FROM arranged AS a
  JOIN mask AS m
    ON m.top <= a.known AND m.size < 3
  WHERE
    a.tid = a.alike
  UNION ALL
  SELECT
    e.part AS part,
    e.support AS support,
    e.k_0 AS k_0,
    e.k_1 AS k_1
  FROM elsewhere AS e
) AS n
GROUP BY
  n.part,
  n.k_0,
  n.k_1;

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
-- counted: each row is an itemset with its support; telling marks those with a sensitive item
WITH altered AS (
  SELECT
    b.tid AS tid
  FROM begun AS b
  LEFT JOIN arranged AS a
    ON a.tid = b.tid
  WHERE
    a.tid IS NULL
    OR a.known <> b.known
    OR (
      b.known >= 1 AND a.p_1 <> b.p_1
    )
    OR (
      b.known >= 2 AND a.p_2 <> b.p_2
    )
    OR (
      b.known >= 3 AND a.p_3 <> b.p_3
    )
), changed AS (
  SELECT
    n.part AS part,
    CAST(SUM(n.more) AS BIGINT) AS more,
    n.k_0 AS k_0,
    n.k_1 AS k_1
  FROM (
    SELECT
      b.part AS part,
      -1 AS more,
      b.p_1 * m.c_0_1 + b.p_2 * m.c_0_2 + b.p_3 * m.c_0_3 AS k_0,
      b.p_1 * m.c_1_1 + b.p_2 * m.c_1_2 + b.p_3 * m.c_1_3 AS k_1
    FROM begun AS b
    JOIN altered AS x
      ON x.tid = b.tid
    JOIN mask AS m
      ON m.top <= b.known AND m.size < 3
    UNION ALL
    SELECT
      a.part AS part,
      1 AS more,
      a.p_1 * m.c_0_1 + a.p_2 * m.c_0_2 + a.p_3 * m.c_0_3 AS k_0,
      a.p_1 * m.c_1_1 + a.p_2 * m.c_1_2 + a.p_3 * m.c_1_3 AS k_1
    FROM arranged AS a
    JOIN altered AS x
      ON x.tid = a.tid
    JOIN mask AS m
      ON m.top <= a.known AND m.size < 3
  ) AS n
  GROUP BY
    n.part,
    n.k_0,
    n.k_1
  HAVING
    SUM(n.more) <> 0
)
SELECT
  c.part AS part,
  c.support AS support,
  c.telling AS telling,
  c.shape AS shape,
  c.mask AS mask,
  c.persons - COALESCE(x.further, 0) AS persons,
  c.k_0 AS k_0,
  c.k_1 AS k_1
FROM (
  SELECT
    n.part AS part,
    n.support AS support,
    1 AS telling,
    CAST(n.example // 8 AS INT) AS shape,
    CAST(n.example % 8 AS INT) AS mask,
    n.support AS persons,
    n.k_0 AS k_0,
    n.k_1 AS k_1
  FROM (
    SELECT
      s.part AS part,
      CAST(SUM(s.weight) AS BIGINT) AS support,
      MIN(CAST(s.shape AS BIGINT) * 8 + s.mask) AS example,
      s.k_0 AS k_0,
      s.k_1 AS k_1
    FROM subset AS s
    GROUP BY
      s.part,
      s.k_0,
      s.k_1
  ) AS n
  UNION ALL
  SELECT
    h.part AS part,
    h.support + COALESCE(x.more, 0) AS support,
    0 AS telling,
    CAST(0 AS INT) AS shape,
    CAST(0 AS INT) AS mask,
    h.persons + COALESCE(x.more, 0) AS persons,
    h.k_0 AS k_0,
    h.k_1 AS k_1
  FROM cohort AS h
  LEFT JOIN changed AS x
    ON x.part = h.part AND x.k_0 = h.k_0 AND x.k_1 = h.k_1
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

-- counted-evenly-persons
-- counted: each row is an itemset with its support; telling marks those with a sensitive item
SELECT
  c.part AS part,
  c.support AS support,
  c.telling AS telling,
  c.shape AS shape,
  c.mask AS mask,
  c.persons - COALESCE(x.further, 0) AS persons,
  c.k_0 AS k_0,
  c.k_1 AS k_1
FROM (
  SELECT
    n.part AS part,
    n.support AS support,
    1 AS telling,
    CAST(n.example // 8 AS INT) AS shape,
    CAST(n.example % 8 AS INT) AS mask,
    n.support AS persons,
    n.k_0 AS k_0,
    n.k_1 AS k_1
  FROM (
    SELECT
      s.part AS part,
      CAST(SUM(s.weight) AS BIGINT) AS support,
      MIN(CAST(s.shape AS BIGINT) * 8 + s.mask) AS example,
      s.k_0 AS k_0,
      s.k_1 AS k_1
    FROM subset AS s
    GROUP BY
      s.part,
      s.k_0,
      s.k_1
  ) AS n
  UNION ALL
  SELECT
    n.part AS part,
    CAST(SUM(n.support) AS BIGINT) AS support,
    0 AS telling,
    CAST(0 AS INT) AS shape,
    CAST(0 AS INT) AS mask,
    CAST(SUM(n.persons) AS BIGINT) AS persons,
    n.k_0 AS k_0,
    n.k_1 AS k_1
  FROM (
    SELECT
      a.part AS part,
      a.weight AS support,
      a.weight AS persons,
      a.p_1 * m.c_0_1 + a.p_2 * m.c_0_2 + a.p_3 * m.c_0_3 AS k_0,
      a.p_1 * m.c_1_1 + a.p_2 * m.c_1_2 + a.p_3 * m.c_1_3 AS k_1
    FROM arranged AS a
    JOIN mask AS m
      ON m.top <= a.known AND m.size < 3
    WHERE
      a.tid = a.alike
    UNION ALL
    SELECT
      e.part AS part,
      e.support AS support,
      e.persons AS persons,
      e.k_0 AS k_0,
      e.k_1 AS k_1
    FROM elsewhere AS e
  ) AS n
  GROUP BY
    n.part,
    n.k_0,
    n.k_1
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
