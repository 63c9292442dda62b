-- coded
-- coded: sensitive items have the last codes, so they stand last
SELECT
  i.item AS item,
  i.support AS support,
  CASE WHEN r.item IS NULL THEN 0 ELSE 1 END AS sensitive,
  CAST(ROW_NUMBER() OVER (ORDER BY CASE WHEN r.item IS NULL THEN 0 ELSE 1 END, i.support, i.item) AS BIGINT) AS code
FROM item AS i
LEFT JOIN sensitive_item AS r
  ON r.item = i.item;

-- totals
-- totals: what there is to hide
SELECT
  COUNT(CASE WHEN c.sensitive = 0 THEN 1 END) AS harmless,
  CAST(COALESCE(SUM(c.sensitive * c.support), 0) AS BIGINT) AS occurrences
FROM coded AS c;

-- original
-- original: the occurrences in codes; a roll puts transactions in an order at random
SELECT
  r.tid AS tid,
  r.roll % 2 AS part,
  r.roll AS roll,
  r.code AS code
FROM (
  SELECT
    d.tid AS tid,
    d.code AS code,
    d.die * d.die % 2147483647 * (
      d.die * d.die % 2147483647
    ) % 2147483647 * d.die % 2147483647 AS roll
  FROM (
    SELECT
      o.tid AS tid,
      c.code AS code,
      (
        CAST(o.tid AS BIGINT) * 48271 % 2147483647 + 7
      ) % 2147483647 AS die
    FROM occurrence AS o
    JOIN coded AS c
      ON c.item = o.item
  ) AS d
) AS r;

-- extents
-- extent: a rule needs something known and something sensitive
SELECT
  o.tid AS tid,
  COUNT(*) AS held,
  COUNT(CASE WHEN o.code <= 40 THEN 1 END) AS known
FROM original AS o
GROUP BY
  o.tid;

-- lengths
-- lengths: decides how long a transaction may be for its subsets to be listed
SELECT
  e.held AS held,
  COUNT(*) AS transactions
FROM extent AS e
WHERE
  e.held > 1 AND e.known < e.held
GROUP BY
  e.held
ORDER BY
  held;

-- guarded-rules
-- guarded: transactions that keep sensitive items, or could
SELECT
  e.tid AS tid,
  CASE
    WHEN e.held <= 3
    THEN e.held
    WHEN e.known * 2 < e.held AND e.known * 2 <= 3
    THEN 3
    ELSE e.known
  END AS kept
FROM extent AS e
WHERE
  e.held > 1
  AND e.known < e.held
  AND CASE WHEN e.held <= 3 THEN 0 ELSE e.known END < 3;

-- cut-rules
-- gone: occurrences that transactions too long to list lose at once
SELECT
  n.tid AS tid,
  n.code AS code,
  0 AS round
FROM (
  SELECT
    r.tid AS tid,
    r.code AS code,
    r.kept AS kept,
    ROW_NUMBER() OVER (PARTITION BY r.tid ORDER BY r.rank, r.code) AS turn
  FROM (
    SELECT
      o.tid AS tid,
      o.code AS code,
      COALESCE(g.kept, e.known) AS kept,
      CASE WHEN o.code > 40 THEN 2147483648 - o.code ELSE 0 END AS rank
    FROM original AS o
    JOIN extent AS e
      ON e.tid = o.tid AND e.held > 3 AND e.known < e.held
    LEFT JOIN guarded AS g
      ON g.tid = o.tid
  ) AS r
) AS n
WHERE
  n.turn > n.kept;

-- victims-rules
-- gone: the item that each of them loses
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
      COUNT(*) AS rules,
      CAST(SUM(27720 // CASE WHEN s.secret = s.code THEN s.of_secret ELSE s.of_known END) AS BIGINT) AS stopped
    FROM (
      SELECT
        t.tid AS tid,
        t.secret AS secret,
        t.of_secret AS of_secret,
        t.of_known AS of_known,
        CASE f.place WHEN 1 THEN a.p_1 WHEN 2 THEN a.p_2 WHEN 3 THEN a.p_3 END AS code
      FROM target AS t
      JOIN arranged AS a
        ON a.tid = t.tid
      JOIN facet AS f
        ON f.mask = t.mask
    ) AS s
    GROUP BY
      s.tid,
      s.code
  ) AS v
  JOIN leftover AS c
    ON c.code = v.code
) AS n
WHERE
  n.turn = 1;

-- guarded-distribution
-- guarded: transactions that keep sensitive items, or could
SELECT
  e.tid AS tid,
  CASE WHEN e.held <= 3 THEN e.held ELSE 3 END AS kept
FROM extent AS e
WHERE
  e.held > 1 AND e.known < e.held;

-- cut-distribution
-- gone: occurrences that transactions too long to list lose at once
SELECT
  n.tid AS tid,
  n.code AS code,
  0 AS round
FROM (
  SELECT
    r.tid AS tid,
    r.code AS code,
    r.kept AS kept,
    ROW_NUMBER() OVER (
      PARTITION BY r.tid
      ORDER BY r.rank * r.rank % 2147483647 * (
        r.rank * r.rank % 2147483647
      ) % 2147483647 * r.rank % 2147483647, r.code
    ) AS turn
  FROM (
    SELECT
      o.tid AS tid,
      o.code AS code,
      COALESCE(g.kept, e.known) AS kept,
      (
        CAST(o.tid AS BIGINT) * 48271 % 2147483647 + o.code * 69621 % 2147483647 + 7
      ) % 2147483647 AS rank
    FROM original AS o
    JOIN extent AS e
      ON e.tid = o.tid AND e.held > 3 AND e.known < e.held
    LEFT JOIN guarded AS g
      ON g.tid = o.tid
  ) AS r
) AS n
WHERE
  n.turn > n.kept;

-- victims-distribution
-- gone: the item that each of them loses
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
      ) DESC, v.code
    ) AS turn
  FROM (
    SELECT
      s.tid AS tid,
      s.code AS code,
      COUNT(*) AS rules,
      CAST(SUM(27720 // CASE WHEN s.secret = s.code THEN s.of_secret ELSE s.of_known END) AS BIGINT) AS stopped
    FROM (
      SELECT
        t.tid AS tid,
        t.secret AS secret,
        t.of_secret AS of_secret,
        t.of_known AS of_known,
        CASE f.place WHEN 1 THEN a.p_1 WHEN 2 THEN a.p_2 WHEN 3 THEN a.p_3 END AS code
      FROM target AS t
      JOIN arranged AS a
        ON a.tid = t.tid
      JOIN facet AS f
        ON f.mask = t.mask
    ) AS s
    GROUP BY
      s.tid,
      s.code
  ) AS v
  JOIN leftover AS c
    ON c.code = v.code
) AS n
WHERE
  n.turn = 1;

-- watched
-- watched: the occurrences of guarded transactions
SELECT
  o.tid AS tid,
  o.part AS part,
  o.roll AS roll,
  o.code AS code
FROM original AS o
JOIN guarded AS g
  ON g.tid = o.tid;

-- apart
-- apart: harmless items of all other transactions
SELECT
  o.tid AS tid,
  o.part AS part,
  o.code AS code
FROM original AS o
WHERE
  o.code <= 40
  AND NOT EXISTS(
    SELECT
      1
    FROM guarded AS g
    WHERE
      g.tid = o.tid
  );

-- masks
-- mask: sets of places, as sums of bits, and what packs their codes
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
-- facet: each set without one of its places, and what packs the others
SELECT
  m.mask AS mask,
  m.top AS top,
  p.place AS place,
  r.c_0_1 AS c_0_1,
  r.c_0_2 AS c_0_2,
  r.c_0_3 AS c_0_3,
  r.c_1_1 AS c_1_1,
  r.c_1_2 AS c_1_2,
  r.c_1_3 AS c_1_3
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
-- member: each set beside each of its places
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
-- arranged: guarded transactions as they stand, codes side by side
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
-- subset: every subset of each kind of transaction, packed into a key
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
-- counted: supports of itemsets among guarded transactions
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
  s.k_1;

-- counted-at-once
-- counted: supports of itemsets among guarded transactions
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
  s.k_1;

-- reached-2
-- reached_2: other transactions that hold such itemsets of 2
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
-- reached_3: other transactions that hold such itemsets of 3
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
-- elsewhere: supports of these itemsets among all other transactions
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

-- unsafe
-- unsafe: rules above rho, and how many suppressions stop each
SELECT
  u.part AS part,
  u.secret AS secret,
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
    q.support + COALESCE(e.support, 0) AS known,
    r.k_0 AS k_0,
    r.k_1 AS k_1,
    r.q_0 AS q_0,
    r.q_1 AS q_1
  FROM (
    SELECT
      c.part AS part,
      c.support AS support,
      CASE f.place WHEN 1 THEN a.p_1 WHEN 2 THEN a.p_2 WHEN 3 THEN a.p_3 END AS secret,
      c.k_0 AS k_0,
      c.k_1 AS k_1,
      a.p_1 * f.c_0_1 + a.p_2 * f.c_0_2 + a.p_3 * f.c_0_3 AS q_0,
      a.p_1 * f.c_1_1 + a.p_2 * f.c_1_2 + a.p_3 * f.c_1_3 AS q_1
    FROM counted AS c
    JOIN arranged AS a
      ON a.tid = c.example // 8
    JOIN facet AS f
      ON f.mask = c.example % 8 AND f.place > a.known
    WHERE
      c.telling = 1 AND a.held >= 2
  ) AS r
  JOIN counted AS q
    ON q.part = r.part AND q.k_0 = r.q_0 AND q.k_1 = r.q_1
  LEFT JOIN elsewhere AS e
    ON e.part = q.part AND e.k_0 = q.k_0 AND e.k_1 = q.k_1
) AS u
WHERE
  u.support * 10 > 7 * u.known;

-- targets
-- target: transactions that lose an item of an unsafe rule, by their roll
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
) AS t
WHERE
  t.turn <= t.of_secret;

-- leftover
-- leftover: what has lost much is worth less (Definition 2)
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

-- listed
-- guarded: transactions that keep sensitive items, for now
SELECT
  e.tid AS tid,
  e.held AS kept
FROM extent AS e
WHERE
  e.held > 1 AND e.known < e.held AND e.held <= 3;

-- cut_everywhere
-- gone: sensitive items that transactions too long to list hold
SELECT
  o.tid AS tid,
  o.code AS code,
  0 AS round
FROM original AS o
WHERE
  o.code > 40
  AND EXISTS(
    SELECT
      1
    FROM original AS h
    JOIN extent AS e
      ON e.tid = h.tid AND e.held > 3
    WHERE
      h.code = o.code
  );

-- blamed
-- blamed: the items of each unsafe rule: without any one of them it stops
SELECT
  u.part AS part,
  u.secret AS secret,
  CASE f.place WHEN 1 THEN a.p_1 WHEN 2 THEN a.p_2 WHEN 3 THEN a.p_3 END AS code,
  u.k_0 AS k_0,
  u.k_1 AS k_1
FROM unsafe AS u
JOIN counted AS c
  ON c.part = u.part AND c.k_0 = u.k_0 AND c.k_1 = u.k_1
JOIN arranged AS a
  ON a.tid = c.example // 8
JOIN facet AS f
  ON f.mask = c.example % 8;

-- victims_everywhere
-- gone: every occurrence of the items that most unsafe rules have
SELECT
  o.tid AS tid,
  o.code AS code,
  2 AS round
FROM original AS o
JOIN (
  SELECT
    r.code AS code
  FROM (
    SELECT
      b.code AS code,
      n.rules AS rules,
      ROW_NUMBER() OVER (
        PARTITION BY b.part, b.k_0, b.k_1, b.secret
        ORDER BY n.rules * 1000000 // c.support DESC, b.code
      ) AS turn
    FROM blamed AS b
    JOIN (
      SELECT
        m.code AS code,
        COUNT(*) AS rules
      FROM blamed AS m
      GROUP BY
        m.code
    ) AS n
      ON n.code = b.code
    JOIN coded AS c
      ON c.code = b.code
  ) AS r
  GROUP BY
    r.code,
    r.rules
  HAVING
    2 * COUNT(CASE WHEN r.turn = 1 THEN 1 END) >= r.rules
) AS chosen
  ON chosen.code = o.code;

-- losses
-- losses: what it cost
SELECT
  CAST(COALESCE(SUM(l.gone), 0) AS BIGINT) AS gone,
  CAST(COALESCE(SUM(l.sensitive), 0) AS BIGINT) AS sensitive,
  COUNT(*) AS touched,
  COUNT(CASE WHEN l.gone = e.held THEN 1 END) AS emptied
FROM (
  SELECT
    s.tid AS tid,
    COUNT(*) AS gone,
    CAST(SUM(c.sensitive) AS BIGINT) AS sensitive
  FROM suppressed AS s
  JOIN coded AS c
    ON c.item = s.item
  GROUP BY
    s.tid
) AS l
JOIN (
  SELECT
    o.tid AS tid,
    COUNT(*) AS held
  FROM occurrence AS o
  GROUP BY
    o.tid
) AS e
  ON e.tid = l.tid;
