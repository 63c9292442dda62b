-- nothing
-- left_out: each row is an item that is suppressed: none yet
SELECT
  0 AS code
WHERE
  FALSE;

-- held
-- held: each row is an occurrence of an item that is not suppressed
SELECT
  o.tid AS tid,
  0 AS part,
  c.code AS code
FROM occurrence AS o
JOIN coded AS c
  ON c.item = o.item
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM left_out AS l
    WHERE
      l.code = c.code
  );

-- held-persons
-- held: each row is an occurrence of an item that is not suppressed
SELECT
  o.tid AS tid,
  0 AS part,
  c.code AS code,
  b.person AS person
FROM occurrence AS o
JOIN coded AS c
  ON c.item = o.item
JOIN basket AS b
  ON b.tid = o.tid
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM left_out AS l
    WHERE
      l.code = c.code
  );

-- remedies
-- remedy: each row is an item that can be suppressed, and the occurrences that this loses
SELECT
  c.code AS code,
  c.code AS target,
  c.support AS loss
FROM coded AS c
WHERE
  c.code > 40;

-- remedies_of_candidates
-- remedy: each row is an item that can be suppressed, and the occurrences that this loses
SELECT
  c.code AS code,
  c.code AS target,
  c.support AS loss
FROM coded AS c
JOIN candidate AS r
  ON r.code = c.code;

-- opened
-- open_1: each row is a rule that is still unsafe
SELECT
  u.secret AS secret,
  u.c_1 AS c_1,
  u.c_2 AS c_2
FROM unsafe_2 AS u;

-- aims
-- aim: each row is an item of an unsafe rule, ranked by the rules that its loss stops
SELECT
  r.code AS code,
  r.target AS target,
  t.rules AS rules,
  t.place AS place
FROM remedy AS r
JOIN (
  SELECT
    s.target AS target,
    s.rules AS rules,
    ROW_NUMBER() OVER (ORDER BY CAST(s.rules AS DOUBLE) / s.loss DESC, s.target) AS place
  FROM (
    SELECT
      m.target AS target,
      MAX(m.loss) AS loss,
      CAST(SUM(b.rules) AS BIGINT) AS rules
    FROM (
      SELECT
        u.c_1 AS code,
        COUNT(*) AS rules
      FROM open_1 AS u
      GROUP BY
        u.c_1
      UNION ALL
      SELECT
        u.c_2 AS code,
        COUNT(*) AS rules
      FROM open_1 AS u
      GROUP BY
        u.c_2
      UNION ALL
      SELECT
        u.secret AS code,
        COUNT(*) AS rules
      FROM open_1 AS u
      GROUP BY
        u.secret
    ) AS b
    JOIN remedy AS m
      ON m.code = b.code
    GROUP BY
      m.target
  ) AS s
) AS t
  ON t.target = r.target;

-- chosen
-- left_out: each row is an item that is suppressed everywhere: the best choice for its rules
SELECT DISTINCT
  a.target AS code
FROM aim AS a
LEFT JOIN (
  SELECT
    b.place AS place,
    COUNT(*) AS rules
  FROM (
    SELECT
      LEAST(
        COALESCE(a_c_1.place, 9007199254740992),
        COALESCE(a_c_2.place, 9007199254740992),
        COALESCE(a_secret.place, 9007199254740992)
      ) AS place
    FROM open_1 AS u
    LEFT JOIN aim AS a_c_1
      ON a_c_1.code = u.c_1
    LEFT JOIN aim AS a_c_2
      ON a_c_2.code = u.c_2
    LEFT JOIN aim AS a_secret
      ON a_secret.code = u.secret
  ) AS b
  GROUP BY
    b.place
) AS g
  ON g.place = a.place
WHERE
  a.place = 1 OR 2 * g.rules >= a.rules;

-- still_open
-- open_2: each row is a rule that is still unsafe
SELECT
  u.c_1 AS c_1,
  u.c_2 AS c_2,
  u.secret AS secret
FROM open_1 AS u
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM remedy AS r
    JOIN left_out AS l
      ON l.code = r.target
    WHERE
      r.code = u.c_1
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM remedy AS r
    JOIN left_out AS l
      ON l.code = r.target
    WHERE
      r.code = u.c_2
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM remedy AS r
    JOIN left_out AS l
      ON l.code = r.target
    WHERE
      r.code = u.secret
  );

-- stuck
-- stuck: each row is an item that cannot return: all else of an unsafe rule is published
SELECT DISTINCT
  s.code AS code
FROM (
  SELECT
    COALESCE(l_c_1.code, 0) + COALESCE(l_secret.code, 0) AS code
  FROM unsafe_1 AS u
  LEFT JOIN left_out AS l_c_1
    ON l_c_1.code = u.c_1
  LEFT JOIN left_out AS l_secret
    ON l_secret.code = u.secret
  WHERE
    (
      CASE WHEN l_c_1.code IS NULL THEN 0 ELSE 1 END + CASE WHEN l_secret.code IS NULL THEN 0 ELSE 1 END
    ) = 1
  UNION ALL
  SELECT
    COALESCE(l_c_1.code, 0) + COALESCE(l_c_2.code, 0) + COALESCE(l_secret.code, 0) AS code
  FROM unsafe_2 AS u
  LEFT JOIN left_out AS l_c_1
    ON l_c_1.code = u.c_1
  LEFT JOIN left_out AS l_c_2
    ON l_c_2.code = u.c_2
  LEFT JOIN left_out AS l_secret
    ON l_secret.code = u.secret
  WHERE
    (
      CASE WHEN l_c_1.code IS NULL THEN 0 ELSE 1 END + CASE WHEN l_c_2.code IS NULL THEN 0 ELSE 1 END + CASE WHEN l_secret.code IS NULL THEN 0 ELSE 1 END
    ) = 1
) AS s;

-- candidates
-- candidate: each row is a suppressed item that returns on trial
SELECT
  c.code AS code
FROM (
  SELECT
    l.code AS code,
    ROW_NUMBER() OVER (ORDER BY i.support DESC, l.code) AS turn
  FROM left_out AS l
  JOIN coded AS i
    ON i.code = l.code
  WHERE
    NOT EXISTS(
      SELECT
        1
      FROM stuck AS s
      WHERE
        s.code = l.code
    )
    AND NOT EXISTS(
      SELECT
        1
      FROM tried AS t
      WHERE
        t.code = l.code
    )
) AS c
WHERE
  c.turn <= 4;

-- tried
-- tried: each row is an item that was tried
SELECT
  c.code AS code
FROM candidate AS c;

-- waiting
-- waiting: each row is an item that stays suppressed for now
SELECT
  l.code AS code
FROM left_out AS l
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM candidate AS c
    WHERE
      c.code = l.code
  );

-- without_candidates
-- left_out: each row is an item that stays suppressed for now
SELECT
  w.code AS code
FROM waiting AS w;

-- totals
-- left_out_totals: counts suppressed items and their occurrences
SELECT
  COUNT(*) AS items,
  CAST(COALESCE(SUM(c.support), 0) AS BIGINT) AS occurrences
FROM left_out AS l
JOIN coded AS c
  ON c.code = l.code;

-- found
-- left_out_1: each row is a suppressed item of this choice
SELECT DISTINCT
  l.code AS code
FROM left_out AS l;

-- suppressed
-- suppressed: each row is an occurrence that the release leaves out
SELECT
  o.tid AS tid,
  o.item AS item
FROM occurrence AS o
JOIN coded AS c
  ON c.item = o.item
JOIN left_out_1 AS l
  ON l.code = c.code;
