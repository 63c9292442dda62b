-- begun
-- begun: each row is a guarded transaction with its codes before the first round
SELECT
  a.tid AS tid,
  a.part AS part,
  a.known AS known,
  a.p_1 AS p_1,
  a.p_2 AS p_2,
  a.p_3 AS p_3
FROM arranged AS a;

-- listed
-- listed: each row is a harmless itemset of guarded transactions with its support there
SELECT
  s.part AS part,
  CAST(SUM(s.weight) AS BIGINT) AS support,
  CAST(MAX(s.size) AS INT) AS size,
  s.k_0 AS k_0,
  s.k_1 AS k_1
FROM (
  SELECT
    a.part AS part,
    a.weight AS weight,
    m.size AS size,
    a.p_1 * m.c_0_1 + a.p_2 * m.c_0_2 + a.p_3 * m.c_0_3 AS k_0,
    a.p_1 * m.c_1_1 + a.p_2 * m.c_1_2 + a.p_3 * m.c_1_3 AS k_1
  FROM arranged AS a
  JOIN mask AS m
    ON m.top <= a.known AND m.size < 3
  WHERE
    a.tid = a.alike
) AS s
GROUP BY
  s.part,
  s.k_0,
  s.k_1;

-- listed-in-turns
-- listed: each row is a harmless itemset of guarded transactions with its support there
SELECT
  s.part AS part,
  CAST(SUM(s.weight) AS BIGINT) AS support,
  CAST(MAX(s.size) AS INT) AS size,
  s.k_0 AS k_0,
  s.k_1 AS k_1
FROM (
  SELECT
    a.part AS part,
    a.weight AS weight,
    m.size AS size,
    a.p_1 * m.c_0_1 + a.p_2 * m.c_0_2 + a.p_3 * m.c_0_3 AS k_0,
    a.p_1 * m.c_1_1 + a.p_2 * m.c_1_2 + a.p_3 * m.c_1_3 AS k_1
  FROM arranged AS a
  JOIN mask AS m
    ON m.top <= a.known AND m.size < 3
  WHERE
    a.tid = a.alike
) AS s
WHERE
  s.k_0 % 2147483648 % 2 = 1
GROUP BY
  s.part,
  s.k_0,
  s.k_1;

-- reached-1
-- reached_1: each row is a transaction that is not guarded, and such an itemset of 1 items
SELECT
  n.tid AS tid,
  n.part AS part,
  n.last AS last,
  n.k_0 AS k_0
FROM (
  SELECT
    a.tid AS tid,
    a.part AS part,
    a.code AS last,
    a.code AS k_0
  FROM apart AS a
  WHERE
    TRUE
) AS n
WHERE
  EXISTS(
    SELECT
      1
    FROM listed AS c
    WHERE
      c.size = 1 AND c.part = n.part AND c.k_0 = n.k_0
  );

-- reached-2
-- reached_2: each row is a transaction that is not guarded, and such an itemset of 2 items
SELECT
  n.tid AS tid,
  n.part AS part,
  n.last AS last,
  n.k_0 AS k_0
FROM (
  SELECT
    r.tid AS tid,
    r.part AS part,
    a.code AS last,
    r.k_0 + a.code * 2147483648 AS k_0
  FROM reached_1 AS r
  JOIN apart AS a
    ON a.tid = r.tid AND a.code > r.last
) AS n
WHERE
  EXISTS(
    SELECT
      1
    FROM listed AS c
    WHERE
      c.size = 2 AND c.part = n.part AND c.k_0 = n.k_0
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
    r.k_0 AS k_0,
    a.code AS k_1
  FROM reached_2 AS r
  JOIN apart AS a
    ON a.tid = r.tid AND a.code > r.last
) AS n
WHERE
  EXISTS(
    SELECT
      1
    FROM listed AS c
    WHERE
      c.size = 3 AND c.part = n.part AND c.k_0 = n.k_0 AND c.k_1 = n.k_1
  );

-- reached-in-turns
-- reached_1: each row is a transaction that is not guarded, and such an itemset of 1 items
SELECT
  n.tid AS tid,
  n.part AS part,
  n.last AS last,
  n.k_0 AS k_0
FROM (
  SELECT
    a.tid AS tid,
    a.part AS part,
    a.code AS last,
    a.code AS k_0
  FROM apart AS a
  WHERE
    a.code % 2 = 1
) AS n
WHERE
  EXISTS(
    SELECT
      1
    FROM listed AS c
    WHERE
      c.size = 1 AND c.part = n.part AND c.k_0 = n.k_0
  );

-- sought
-- sought: each row is an itemset whose support a rule may still need, or the rarest items of one
WITH open AS (
  SELECT
    l.part AS part,
    l.size AS size,
    l.k_0 AS k_0,
    l.k_1 AS k_1
  FROM listed AS l
  LEFT JOIN (
    SELECT
      s.part AS part,
      CAST(SUM(s.support) AS BIGINT) AS support,
      s.k_0 AS k_0,
      s.k_1 AS k_1
    FROM elsewhere AS s
    GROUP BY
      s.part,
      s.k_0,
      s.k_1
  ) AS e
    ON e.part = l.part AND e.k_0 = l.k_0 AND e.k_1 = l.k_1
  WHERE
    COALESCE(e.support, 0) * 7 < l.support * 3
), of_2 AS (
  SELECT
    o.part AS part,
    o.k_0 AS k_0,
    o.k_1 AS k_1
  FROM open AS o
  WHERE
    o.size = 2
), of_1 AS (
  SELECT
    o.part AS part,
    o.k_0 AS k_0,
    o.k_1 AS k_1
  FROM open AS o
  WHERE
    o.size = 1
  UNION
  SELECT
    m.part AS part,
    m.k_0 % 2147483648 AS k_0,
    CAST(0 AS BIGINT) AS k_1
  FROM of_2 AS m
)
SELECT
  n.part AS part,
  n.size AS size,
  n.k_0 AS k_0,
  n.k_1 AS k_1
FROM (
  SELECT
    w.part AS part,
    2 AS size,
    w.k_0 AS k_0,
    w.k_1 AS k_1
  FROM of_2 AS w
  UNION ALL
  SELECT
    w.part AS part,
    1 AS size,
    w.k_0 AS k_0,
    w.k_1 AS k_1
  FROM of_1 AS w
) AS n;

-- reached-in-shares
-- reached_2: each row is a transaction that is not guarded, and such an itemset of 2 items
SELECT
  n.tid AS tid,
  n.part AS part,
  n.last AS last,
  n.k_0 AS k_0
FROM (
  SELECT
    r.tid AS tid,
    r.part AS part,
    a.code AS last,
    r.k_0 + a.code * 2147483648 AS k_0
  FROM reached_1 AS r
  JOIN apart AS a
    ON a.tid = r.tid AND a.code > r.last AND a.tid >= 5 AND a.tid < 20
) AS n
WHERE
  EXISTS(
    SELECT
      1
    FROM sought AS c
    WHERE
      c.size = 2 AND c.part = n.part AND c.k_0 = n.k_0
  );

-- cohorts-in-shares
-- cohort: each row is a harmless itemset that several transactions hold, with its support
SELECT
  l.part AS part,
  l.support + COALESCE(e.support, 0) AS support,
  l.k_0 AS k_0,
  l.k_1 AS k_1
FROM listed AS l
LEFT JOIN (
  SELECT
    s.part AS part,
    CAST(SUM(s.support) AS BIGINT) AS support,
    s.k_0 AS k_0,
    s.k_1 AS k_1
  FROM elsewhere AS s
  GROUP BY
    s.part,
    s.k_0,
    s.k_1
) AS e
  ON e.part = l.part AND e.k_0 = l.k_0 AND e.k_1 = l.k_1
WHERE
  l.support + COALESCE(e.support, 0) > 1;

-- elsewhere
-- elsewhere: each row is an itemset with its support among transactions that are not guarded
SELECT
  r.part AS part,
  COUNT(*) AS support,
  r.k_0 AS k_0,
  CAST(0 AS BIGINT) AS k_1
FROM reached_2 AS r
GROUP BY
  r.part,
  r.k_0;

-- in_all_sizes
-- elsewhere: each row is an itemset with its support among transactions that are not guarded
SELECT
  r.part AS part,
  COUNT(*) AS support,
  r.k_0 AS k_0,
  CAST(0 AS BIGINT) AS k_1
FROM reached_1 AS r
GROUP BY
  r.part,
  r.k_0
UNION ALL
SELECT
  r.part AS part,
  COUNT(*) AS support,
  r.k_0 AS k_0,
  CAST(0 AS BIGINT) AS k_1
FROM reached_2 AS r
GROUP BY
  r.part,
  r.k_0;

-- reached-persons-1
-- reached_1: each row is a transaction that is not guarded, and such an itemset of 1 items
SELECT
  n.tid AS tid,
  n.part AS part,
  n.last AS last,
  n.again AS again,
  n.k_0 AS k_0
FROM (
  SELECT
    a.tid AS tid,
    a.part AS part,
    a.code AS last,
    a.again AS again,
    a.code AS k_0
  FROM apart AS a
  WHERE
    TRUE
) AS n
WHERE
  EXISTS(
    SELECT
      1
    FROM listed AS c
    WHERE
      c.size = 1 AND c.part = n.part AND c.k_0 = n.k_0
  );

-- reached-persons-2
-- reached_2: each row is a transaction that is not guarded, and such an itemset of 2 items
SELECT
  n.tid AS tid,
  n.part AS part,
  n.last AS last,
  n.again AS again,
  n.k_0 AS k_0
FROM (
  SELECT
    r.tid AS tid,
    r.part AS part,
    a.code AS last,
    LEAST(r.again, a.again) AS again,
    r.k_0 + a.code * 2147483648 AS k_0
  FROM reached_1 AS r
  JOIN apart AS a
    ON a.tid = r.tid AND a.code > r.last
) AS n
WHERE
  EXISTS(
    SELECT
      1
    FROM listed AS c
    WHERE
      c.size = 2 AND c.part = n.part AND c.k_0 = n.k_0
  );

-- elsewhere-persons
-- elsewhere: each row is an itemset with its support among transactions that are not guarded
SELECT
  r.part AS part,
  CAST(SUM(r.held) AS BIGINT) AS support,
  CAST(SUM(r.persons) AS BIGINT) AS persons,
  r.k_0 AS k_0,
  CAST(0 AS BIGINT) AS k_1
FROM (
  SELECT
    r.part AS part,
    COUNT(*) AS held,
    COUNT(*) AS persons,
    r.k_0
  FROM reached_2 AS r
  WHERE
    r.again = 0
  GROUP BY
    r.part,
    r.k_0
  UNION ALL
  SELECT
    r.part AS part,
    COUNT(*) AS held,
    1 AS persons,
    r.k_0
  FROM reached_2 AS r
  JOIN basket AS b
    ON b.tid = r.tid
  WHERE
    r.again > 0
  GROUP BY
    r.part,
    b.person,
    r.k_0
) AS r
GROUP BY
  r.part,
  r.k_0;

-- outer_holders
-- outer_holder: each row is an itemset and a person: a transaction that is not guarded holds it, and a guarded one may too
SELECT DISTINCT
  r.part AS part,
  b.person AS person,
  r.k_0 AS k_0,
  CAST(0 AS BIGINT) AS k_1
FROM reached_2 AS r
JOIN basket AS b
  ON b.tid = r.tid
WHERE
  r.again = 2;

-- cohorts
-- cohort: each row is a harmless itemset that several transactions hold, with its support
SELECT
  l.part AS part,
  l.support + COALESCE(e.support, 0) AS support,
  l.k_0 AS k_0,
  l.k_1 AS k_1
FROM listed AS l
LEFT JOIN elsewhere AS e
  ON e.part = l.part AND e.k_0 = l.k_0 AND e.k_1 = l.k_1
WHERE
  l.support + COALESCE(e.support, 0) > 1;

-- cohorts-persons
-- cohort: each row is a harmless itemset that several transactions hold, with its support
SELECT
  l.part AS part,
  l.support + COALESCE(e.support, 0) AS support,
  l.support + COALESCE(e.persons, 0) AS persons,
  l.k_0 AS k_0,
  l.k_1 AS k_1
FROM listed AS l
LEFT JOIN elsewhere AS e
  ON e.part = l.part AND e.k_0 = l.k_0 AND e.k_1 = l.k_1
WHERE
  l.support + COALESCE(e.support, 0) > 1;
