-- unsafe
-- unsafe: round 3: each row is a rule above rho, with the suppressions that make it safe
SELECT
  u.part AS part,
  u.secret AS secret,
  u.support AS support,
  u.shape AS shape,
  u.mask AS mask,
  u.support - u.known * 7 // 10 AS of_secret,
  (
    u.support * 10 - u.known * 7 + 3 - 1
  ) // 3 AS of_known,
  u.k_0 AS k_0,
  u.k_1 AS k_1
FROM (
  SELECT
    r.part AS part,
    r.secret AS secret,
    r.support AS support,
    r.shape AS shape,
    r.mask AS mask,
    COALESCE(q.support, 1) AS known,
    r.k_0 AS k_0,
    r.k_1 AS k_1,
    r.q_0 AS q_0,
    r.q_1 AS q_1
  FROM (
    SELECT
      c.part AS part,
      c.support AS support,
      c.shape AS shape,
      c.mask AS mask,
      a.p_1 * f.s_1 + a.p_2 * f.s_2 + a.p_3 * f.s_3 AS secret,
      c.k_0 AS k_0,
      c.k_1 AS k_1,
      a.p_1 * f.c_0_1 + a.p_2 * f.c_0_2 + a.p_3 * f.c_0_3 AS q_0,
      a.p_1 * f.c_1_1 + a.p_2 * f.c_1_2 + a.p_3 * f.c_1_3 AS q_1
    FROM counted AS c
    JOIN arranged AS a
      ON a.tid = c.shape
    JOIN facet AS f
      ON f.mask = c.mask AND f.place > a.known
    WHERE
      c.telling = 1 AND a.held >= 2
  ) AS r
  LEFT JOIN counted AS q
    ON q.part = r.part AND q.k_0 = r.q_0 AND q.k_1 = r.q_1
) AS u
WHERE
  u.support * 10 > 7 * u.known;

-- unsafe-persons
-- unsafe: round 3: each row is a rule above rho, with the suppressions that make it safe
SELECT
  u.part AS part,
  u.secret AS secret,
  u.support AS support,
  u.shape AS shape,
  u.mask AS mask,
  GREATEST(u.support - u.known * 7 // 10, u.persons - u.known_persons * 7 // 10) AS of_secret,
  GREATEST(
    (
      u.support * 10 - u.known * 7 + 3 - 1
    ) // 3,
    (
      u.persons * 10 - u.known_persons * 7 + 3 - 1
    ) // 3
  ) AS of_known,
  u.support - u.known * 7 // 10 AS transactions,
  u.persons - u.known_persons * 7 // 10 AS persons,
  u.k_0 AS k_0,
  u.k_1 AS k_1
FROM (
  SELECT
    r.part AS part,
    r.secret AS secret,
    r.support AS support,
    r.shape AS shape,
    r.mask AS mask,
    COALESCE(q.support, 1) AS known,
    r.persons AS persons,
    COALESCE(q.persons, 1) AS known_persons,
    r.k_0 AS k_0,
    r.k_1 AS k_1,
    r.q_0 AS q_0,
    r.q_1 AS q_1
  FROM (
    SELECT
      c.part AS part,
      c.support AS support,
      c.shape AS shape,
      c.mask AS mask,
      c.persons AS persons,
      a.p_1 * f.s_1 + a.p_2 * f.s_2 + a.p_3 * f.s_3 AS secret,
      c.k_0 AS k_0,
      c.k_1 AS k_1,
      a.p_1 * f.c_0_1 + a.p_2 * f.c_0_2 + a.p_3 * f.c_0_3 AS q_0,
      a.p_1 * f.c_1_1 + a.p_2 * f.c_1_2 + a.p_3 * f.c_1_3 AS q_1
    FROM counted AS c
    JOIN arranged AS a
      ON a.tid = c.shape
    JOIN facet AS f
      ON f.mask = c.mask AND f.place > a.known
    WHERE
      c.telling = 1 AND a.held >= 2
  ) AS r
  LEFT JOIN counted AS q
    ON q.part = r.part AND q.k_0 = r.q_0 AND q.k_1 = r.q_1
) AS u
WHERE
  u.support * 10 > 7 * u.known OR u.persons * 10 > 7 * u.known_persons;

-- targets
-- target: each row is an unsafe rule and a transaction, drawn at random, that loses an item of it
SELECT
  o.shape AS tid,
  o.mask AS mask,
  o.secret AS secret,
  o.of_secret AS of_secret,
  o.of_known AS of_known
FROM unsafe AS o
WHERE
  o.support = 1
UNION ALL
SELECT
  t.tid AS tid,
  t.mask AS mask,
  t.secret AS secret,
  t.of_secret AS of_secret,
  t.of_known AS of_known
FROM (
  SELECT
    a.tid AS tid,
    s.mask AS mask,
    u.secret AS secret,
    u.of_secret AS of_secret,
    u.of_known AS of_known,
    ROW_NUMBER() OVER (PARTITION BY u.part, u.k_0, u.k_1, u.secret ORDER BY a.roll, a.tid) AS turn
  FROM unsafe AS u
  JOIN subset AS s
    ON s.part = u.part AND s.k_0 = u.k_0 AND s.k_1 = u.k_1
  JOIN arranged AS a
    ON a.alike = s.shape
  WHERE
    u.support > 1
) AS t
WHERE
  t.turn <= t.of_secret;

-- targets-persons
-- target: each row is an unsafe rule and a transaction, drawn at random, that loses an item of it
SELECT
  t.tid AS tid,
  t.mask AS mask,
  t.secret AS secret,
  t.of_secret AS of_secret,
  t.of_known AS of_known
FROM (
  SELECT
    h.tid AS tid,
    h.mask AS mask,
    h.secret AS secret,
    h.of_secret AS of_secret,
    h.of_known AS of_known,
    h.transactions AS transactions,
    h.persons AS persons,
    ROW_NUMBER() OVER (
      PARTITION BY h.part, h.k_0, h.k_1, h.secret
      ORDER BY h.held, h.earliest, h.person, h.roll, h.tid
    ) AS turn,
    DENSE_RANK() OVER (PARTITION BY h.part, h.k_0, h.k_1, h.secret ORDER BY h.held, h.earliest, h.person) AS person_turn
  FROM (
    SELECT
      a.tid AS tid,
      a.roll AS roll,
      a.person AS person,
      s.mask AS mask,
      u.part AS part,
      u.secret AS secret,
      u.of_secret AS of_secret,
      u.of_known AS of_known,
      u.transactions AS transactions,
      u.persons AS persons,
      COUNT(*) OVER (PARTITION BY u.part, u.k_0, u.k_1, u.secret, a.person) AS held,
      MIN(a.roll) OVER (PARTITION BY u.part, u.k_0, u.k_1, u.secret, a.person) AS earliest,
      u.k_0 AS k_0,
      u.k_1 AS k_1
    FROM unsafe AS u
    JOIN subset AS s
      ON s.part = u.part AND s.k_0 = u.k_0 AND s.k_1 = u.k_1
    JOIN arranged AS a
      ON a.alike = s.shape
  ) AS h
) AS t
WHERE
  t.turn <= t.transactions OR t.person_turn <= t.persons;

-- victims-rules
-- gone: round 2: each row is a transaction and the item that it loses
WITH helped AS (
  SELECT
    t.tid AS tid,
    t.secret AS secret,
    CAST(SUM(27720 // t.of_secret) AS BIGINT) AS of_secret,
    COUNT(CASE WHEN t.mask & 1 > 0 THEN 1 END) AS r_1,
    COUNT(CASE WHEN t.mask & 2 > 0 THEN 1 END) AS r_2,
    COUNT(CASE WHEN t.mask & 4 > 0 THEN 1 END) AS r_3,
    CAST(SUM(CASE WHEN t.mask & 1 > 0 THEN 27720 // t.of_known ELSE 0 END) AS BIGINT) AS s_1,
    CAST(SUM(CASE WHEN t.mask & 2 > 0 THEN 27720 // t.of_known ELSE 0 END) AS BIGINT) AS s_2,
    CAST(SUM(CASE WHEN t.mask & 4 > 0 THEN 27720 // t.of_known ELSE 0 END) AS BIGINT) AS s_3
  FROM target AS t
  GROUP BY
    t.tid,
    t.secret
)
SELECT
  n.tid AS tid,
  n.code AS code,
  2 AS round
FROM (
  SELECT
    v.tid AS tid,
    v.code AS code,
    ROW_NUMBER() OVER (
      PARTITION BY v.tid
      ORDER BY v.rules DESC, v.stopped * c.support * 100 // c.remaining DESC, v.code
    ) AS turn
  FROM (
    SELECT
      s.tid AS tid,
      s.code AS code,
      CAST(SUM(s.rules) AS BIGINT) AS rules,
      CAST(SUM(CASE WHEN s.secret = s.code THEN s.of_secret ELSE s.of_known END) AS BIGINT) AS stopped
    FROM (
      SELECT
        h.tid AS tid,
        h.secret AS secret,
        h.of_secret AS of_secret,
        CASE m.top WHEN 1 THEN h.r_1 WHEN 2 THEN h.r_2 WHEN 3 THEN h.r_3 END AS rules,
        CASE m.top WHEN 1 THEN h.s_1 WHEN 2 THEN h.s_2 WHEN 3 THEN h.s_3 END AS of_known,
        CASE m.top WHEN 1 THEN a.p_1 WHEN 2 THEN a.p_2 WHEN 3 THEN a.p_3 END AS code
      FROM helped AS h
      JOIN arranged AS a
        ON a.tid = h.tid
      JOIN mask AS m
        ON m.size = 1 AND m.top <= a.held
    ) AS s
    WHERE
      s.rules > 0
    GROUP BY
      s.tid,
      s.code
  ) AS v
  JOIN leftover AS c
    ON c.code = v.code
) AS n
WHERE
  n.turn = 1;

-- victims-distribution
-- gone: round 2: each row is a transaction and the item that it loses
WITH helped AS (
  SELECT
    t.tid AS tid,
    t.secret AS secret,
    CAST(SUM(27720 // t.of_secret) AS BIGINT) AS of_secret,
    COUNT(CASE WHEN t.mask & 1 > 0 THEN 1 END) AS r_1,
    COUNT(CASE WHEN t.mask & 2 > 0 THEN 1 END) AS r_2,
    COUNT(CASE WHEN t.mask & 4 > 0 THEN 1 END) AS r_3,
    CAST(SUM(CASE WHEN t.mask & 1 > 0 THEN 27720 // t.of_known ELSE 0 END) AS BIGINT) AS s_1,
    CAST(SUM(CASE WHEN t.mask & 2 > 0 THEN 27720 // t.of_known ELSE 0 END) AS BIGINT) AS s_2,
    CAST(SUM(CASE WHEN t.mask & 4 > 0 THEN 27720 // t.of_known ELSE 0 END) AS BIGINT) AS s_3
  FROM target AS t
  GROUP BY
    t.tid,
    t.secret
)
SELECT
  n.tid AS tid,
  n.code AS code,
  2 AS round
FROM (
  SELECT
    v.tid AS tid,
    v.code AS code,
    ROW_NUMBER() OVER (
      PARTITION BY v.tid
      ORDER BY v.stopped * c.remaining * (
        LN(c.remaining) - LN(c.support) - LN(c.all_remaining) + LN(c.all_support)
      ) DESC, v.stopped DESC, v.code DESC, v.code
    ) AS turn
  FROM (
    SELECT
      s.tid AS tid,
      s.code AS code,
      CAST(SUM(s.rules) AS BIGINT) AS rules,
      CAST(SUM(CASE WHEN s.secret = s.code THEN s.of_secret ELSE s.of_known END) AS BIGINT) AS stopped
    FROM (
      SELECT
        h.tid AS tid,
        h.secret AS secret,
        h.of_secret AS of_secret,
        CASE m.top WHEN 1 THEN h.r_1 WHEN 2 THEN h.r_2 WHEN 3 THEN h.r_3 END AS rules,
        CASE m.top WHEN 1 THEN h.s_1 WHEN 2 THEN h.s_2 WHEN 3 THEN h.s_3 END AS of_known,
        CASE m.top WHEN 1 THEN a.p_1 WHEN 2 THEN a.p_2 WHEN 3 THEN a.p_3 END AS code
      FROM helped AS h
      JOIN arranged AS a
        ON a.tid = h.tid
      JOIN mask AS m
        ON m.size = 1 AND m.top <= a.held
    ) AS s
    WHERE
      s.rules > 0
    GROUP BY
      s.tid,
      s.code
  ) AS v
  JOIN leftover AS c
    ON c.code = v.code
) AS n
WHERE
  n.turn = 1;

-- leftover
-- leftover: each row is an item with its support at first and now: it ranks the items to suppress
SELECT
  c.code AS code,
  c.support AS support,
  c.support - COALESCE(g.gone, 0) AS remaining,
  a.support AS all_support,
  a.support - n.gone AS all_remaining
FROM coded AS c
CROSS JOIN (
  SELECT
    CAST(SUM(i.support) AS BIGINT) AS support
  FROM coded AS i
) AS a
CROSS JOIN (
  SELECT
    COUNT(*) AS gone
  FROM gone AS h
) AS n
LEFT JOIN (
  SELECT
    d.code AS code,
    COUNT(*) AS gone
  FROM gone AS d
  GROUP BY
    d.code
) AS g
  ON g.code = c.code;
