-- whole
-- record_0: each row is a transaction; all of them are one part
SELECT
  o.tid AS tid,
  0 AS part,
  MIN(o.roll) AS roll
FROM original AS o
GROUP BY
  o.tid;

-- costs
-- costs: lists the transactions, occurrences and items of each part
SELECT
  r.part AS part,
  COUNT(DISTINCT r.tid) AS transactions,
  COUNT(*) AS occurrences,
  COUNT(DISTINCT o.code) AS items
FROM record_1 AS r
JOIN original AS o
  ON o.tid = r.tid
GROUP BY
  r.part
ORDER BY
  part;

-- halved
-- record_2: each row is a transaction; parts above t_max are split in two at random
SELECT
  r.tid AS tid,
  r.roll AS roll,
  r.part + CASE WHEN h.part IS NULL THEN 0 ELSE r.turn % 2 * 2 END AS part
FROM (
  SELECT
    b.tid AS tid,
    b.part AS part,
    b.roll AS roll,
    ROW_NUMBER() OVER (PARTITION BY b.part ORDER BY b.roll, b.tid) AS turn
  FROM record_1 AS b
) AS r
LEFT JOIN (
  SELECT
    v.part AS part
  FROM (VALUES
    (0),
    (1)) AS v(part)
) AS h
  ON h.part = r.part;

-- nothing
-- gone: each row is a suppressed occurrence: none yet
SELECT
  0 AS tid,
  0 AS code,
  0 AS round
WHERE
  FALSE;

-- held
-- held: each row is an occurrence that is left
SELECT
  o.tid AS tid,
  r.part AS part,
  o.code AS code
FROM original AS o
JOIN record_1 AS r
  ON r.tid = o.tid
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM gone AS g
    WHERE
      g.tid = o.tid AND g.code = o.code
  );

-- worth-rules
-- worth: each row is an item of a part, with the factor that ranks it among the items of a rule
SELECT
  f.part AS part,
  f.code AS code,
  l.support AS remaining,
  CAST(l.support AS DOUBLE) / f.support AS factor
FROM (
  SELECT
    r.part AS part,
    o.code AS code,
    COUNT(*) AS support
  FROM original AS o
  JOIN record_1 AS r
    ON r.tid = o.tid
  GROUP BY
    r.part,
    o.code
) AS f
JOIN (
  SELECT
    p.part AS part,
    p.code AS code,
    COUNT(*) AS support
  FROM placed AS p
  GROUP BY
    p.part,
    p.code
) AS l
  ON l.part = f.part AND l.code = f.code;

-- best_known-rules
-- best_known: each row is a set of known items and the best of them to suppress
SELECT
  b.size AS size,
  b.id AS id,
  b.code AS code,
  b.factor AS factor
FROM (
  SELECT
    k.size AS size,
    k.id AS id,
    k.code AS code,
    w.factor AS factor,
    ROW_NUMBER() OVER (PARTITION BY k.size, k.id ORDER BY w.factor, k.code) AS turn
  FROM (
    SELECT DISTINCT
      u.size AS size,
      u.id AS id,
      u.part AS part,
      u.c_1 AS code
    FROM unsafe AS u
    WHERE
      u.size >= 1
    UNION ALL
    SELECT DISTINCT
      u.size AS size,
      u.id AS id,
      u.part AS part,
      u.c_2 AS code
    FROM unsafe AS u
    WHERE
      u.size >= 2
  ) AS k
  JOIN worth AS w
    ON w.part = k.part AND w.code = k.code
) AS b
WHERE
  b.turn = 1;

-- ranked-rules
-- ranked_1: each row is an unsafe rule, numbered from the best on, and the item to suppress for it
SELECT
  ROW_NUMBER() OVER (
    ORDER BY x.excess * x.weight * x.factor, x.excess * x.weight, x.size DESC, x.id, x.secret
  ) AS number,
  x.size AS size,
  x.id AS id,
  x.part AS part,
  x.secret AS secret,
  x.support AS support,
  x.code AS code,
  x.needed AS needed,
  x.c_1 AS c_1,
  x.c_2 AS c_2
FROM (
  SELECT
    u.size AS size,
    u.id AS id,
    u.part AS part,
    u.secret AS secret,
    u.support AS support,
    CAST(u.support * 10 - u.known * 7 AS DOUBLE) AS excess,
    u.c_1 AS c_1,
    u.c_2 AS c_2,
    CASE WHEN w.factor * 3 <= k.factor * 10 THEN u.secret ELSE k.code END AS code,
    CASE WHEN w.factor * 3 <= k.factor * 10 THEN w.factor ELSE k.factor END AS factor,
    CASE WHEN w.factor * 3 <= k.factor * 10 THEN 3 ELSE 10 END AS weight,
    CASE
      WHEN w.factor * 3 <= k.factor * 10
      THEN u.support - u.known * 7 // 10
      ELSE (
        u.support * 10 - u.known * 7 + 3 - 1
      ) // 3
    END AS needed
  FROM unsafe AS u
  JOIN best_known AS k
    ON k.size = u.size AND k.id = u.id
  JOIN worth AS w
    ON w.part = u.part AND w.code = u.secret
) AS x;

-- worth-distribution
-- worth: each row is an item of a part, with the factor that ranks it among the items of a rule
SELECT
  f.part AS part,
  f.code AS code,
  l.support AS remaining,
  CAST(l.support AS DOUBLE) * LN(CAST(l.support AS DOUBLE) / f.support) AS factor
FROM (
  SELECT
    r.part AS part,
    o.code AS code,
    COUNT(*) AS support
  FROM original AS o
  JOIN record_1 AS r
    ON r.tid = o.tid
  GROUP BY
    r.part,
    o.code
) AS f
JOIN (
  SELECT
    p.part AS part,
    p.code AS code,
    COUNT(*) AS support
  FROM placed AS p
  GROUP BY
    p.part,
    p.code
) AS l
  ON l.part = f.part AND l.code = f.code;

-- best_known-distribution
-- best_known: each row is a set of known items and the best of them to suppress
SELECT
  b.size AS size,
  b.id AS id,
  b.code AS code,
  b.factor AS factor
FROM (
  SELECT
    k.size AS size,
    k.id AS id,
    k.code AS code,
    w.factor AS factor,
    ROW_NUMBER() OVER (PARTITION BY k.size, k.id ORDER BY -w.factor, k.code) AS turn
  FROM (
    SELECT DISTINCT
      u.size AS size,
      u.id AS id,
      u.part AS part,
      u.c_1 AS code
    FROM unsafe AS u
    WHERE
      u.size >= 1
    UNION ALL
    SELECT DISTINCT
      u.size AS size,
      u.id AS id,
      u.part AS part,
      u.c_2 AS code
    FROM unsafe AS u
    WHERE
      u.size >= 2
  ) AS k
  JOIN worth AS w
    ON w.part = k.part AND w.code = k.code
) AS b
WHERE
  b.turn = 1;

-- ranked-distribution
-- ranked_1: each row is an unsafe rule, numbered from the best on, and the item to suppress for it
SELECT
  ROW_NUMBER() OVER (
    ORDER BY CAST(-x.factor AS DOUBLE) / (
      x.excess * x.weight
    ), x.excess * x.weight, x.size DESC, x.id, x.secret
  ) AS number,
  x.size AS size,
  x.id AS id,
  x.part AS part,
  x.secret AS secret,
  x.support AS support,
  x.code AS code,
  x.needed AS needed,
  x.c_1 AS c_1,
  x.c_2 AS c_2
FROM (
  SELECT
    u.size AS size,
    u.id AS id,
    u.part AS part,
    u.secret AS secret,
    u.support AS support,
    CAST(u.support * 10 - u.known * 7 AS DOUBLE) AS excess,
    u.c_1 AS c_1,
    u.c_2 AS c_2,
    CASE WHEN w.factor * 10 >= k.factor * 3 THEN u.secret ELSE k.code END AS code,
    CASE WHEN w.factor * 10 >= k.factor * 3 THEN w.factor ELSE k.factor END AS factor,
    CASE WHEN w.factor * 10 >= k.factor * 3 THEN 3 ELSE 10 END AS weight,
    CASE
      WHEN w.factor * 10 >= k.factor * 3
      THEN u.support - u.known * 7 // 10
      ELSE (
        u.support * 10 - u.known * 7 + 3 - 1
      ) // 3
    END AS needed
  FROM unsafe AS u
  JOIN best_known AS k
    ON k.size = u.size AND k.id = u.id
  JOIN worth AS w
    ON w.part = u.part AND w.code = u.secret
) AS x;

-- first_choices
-- first_choice: each row is a transaction and an item of it, with the best rule that would suppress it
SELECT
  w.tid AS tid,
  w.code AS code,
  MIN(w.number) AS number
FROM (
  SELECT
    m.tid AS tid,
    r.code AS code,
    r.number AS number
  FROM ranked_2 AS r
  JOIN met_1 AS m
    ON m.id = r.id
  JOIN placed AS p
    ON p.tid = m.tid AND p.code = r.secret
  WHERE
    r.size = 1
  UNION ALL
  SELECT
    m.tid AS tid,
    r.code AS code,
    r.number AS number
  FROM ranked_2 AS r
  JOIN met_2 AS m
    ON m.id = r.id
  JOIN placed AS p
    ON p.tid = m.tid AND p.code = r.secret
  WHERE
    r.size = 2
) AS w
GROUP BY
  w.tid,
  w.code;

-- undisputed
-- undisputed: each row is a rule whose item no better rule suppresses in one of its transactions
SELECT
  r.number AS number,
  r.size AS size,
  r.id AS id,
  r.part AS part,
  r.secret AS secret,
  r.support AS support,
  r.code AS code,
  r.needed AS needed,
  r.c_1 AS c_1,
  r.c_2 AS c_2
FROM ranked_2 AS r
JOIN (
  SELECT
    f.number AS number,
    COUNT(*) AS witnesses
  FROM first_choice AS f
  GROUP BY
    f.number
) AS c
  ON c.number = r.number AND c.witnesses = r.support;

-- chosen
-- chosen: each row is a rule that is stopped now: no better rule touches its items
SELECT
  t.number AS number,
  t.code AS code,
  t.needed AS needed
FROM (
  SELECT
    u.number AS number,
    u.code AS code,
    u.needed AS needed,
    COALESCE(g.gone, 0) + SUM(u.needed) OVER (PARTITION BY u.part, u.code ORDER BY u.number) AS all_needed,
    w.remaining AS remaining
  FROM undisputed AS u
  JOIN worth AS w
    ON w.part = u.part AND w.code = u.code
  LEFT JOIN (
    SELECT
      p.part AS part,
      l.code AS code,
      COUNT(*) AS gone
    FROM gone AS l
    JOIN placed AS p
      ON p.tid = l.tid AND p.code = l.code
    WHERE
      l.round > 5
    GROUP BY
      p.part,
      l.code
  ) AS g
    ON g.part = u.part AND g.code = u.code
  WHERE
    NOT EXISTS(
      SELECT
        1
      FROM (
        SELECT
          u.number AS number
        FROM undisputed AS u
        JOIN met_1 AS m
          ON m.id = u.id
        JOIN first_choice AS f
          ON f.tid = m.tid AND f.number < u.number
        WHERE
          u.size = 1 AND f.code IN (u.secret, u.c_1, u.c_2)
        UNION ALL
        SELECT
          u.number AS number
        FROM undisputed AS u
        JOIN met_2 AS m
          ON m.id = u.id
        JOIN first_choice AS f
          ON f.tid = m.tid AND f.number < u.number
        WHERE
          u.size = 2 AND f.code IN (u.secret, u.c_1, u.c_2)
      ) AS b
      WHERE
        b.number = u.number
    )
) AS t
WHERE
  t.all_needed = t.needed OR t.all_needed * 4 <= t.remaining;

-- suppressing
-- gone: round 6: each row is an occurrence that is suppressed to stop a rule
SELECT
  t.tid AS tid,
  t.code AS code,
  6 AS round
FROM (
  SELECT
    f.tid AS tid,
    f.code AS code,
    c.needed AS needed,
    ROW_NUMBER() OVER (PARTITION BY c.number ORDER BY r.roll, f.tid) AS turn
  FROM chosen AS c
  JOIN first_choice AS f
    ON f.number = c.number
  JOIN record_1 AS r
    ON r.tid = f.tid
) AS t
WHERE
  t.turn <= t.needed;

-- untouched
-- ranked_3: each row is a rule that is as unsafe as before
SELECT
  r.number AS number,
  r.size AS size,
  r.id AS id,
  r.part AS part,
  r.secret AS secret,
  r.support AS support,
  r.code AS code,
  r.needed AS needed,
  r.c_1 AS c_1,
  r.c_2 AS c_2
FROM ranked_2 AS r
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM (
      SELECT
        u.number AS number
      FROM ranked_2 AS u
      JOIN met_1 AS m
        ON m.id = u.id
      JOIN gone AS g
        ON g.tid = m.tid AND g.round = 6
      WHERE
        u.size = 1 AND g.code IN (u.secret, u.c_1, u.c_2)
      UNION ALL
      SELECT
        u.number AS number
      FROM ranked_2 AS u
      JOIN met_2 AS m
        ON m.id = u.id
      JOIN gone AS g
        ON g.tid = m.tid AND g.round = 6
      WHERE
        u.size = 2 AND g.code IN (u.secret, u.c_1, u.c_2)
    ) AS t
    WHERE
      t.number = r.number
  );

-- suppressed
-- suppressed: each row is an occurrence that the release leaves out
SELECT
  g.tid AS tid,
  c.item AS item,
  g.round AS round
FROM gone AS g
JOIN coded AS c
  ON c.code = g.code;
