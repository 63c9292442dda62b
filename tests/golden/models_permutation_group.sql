-- clashes
-- clash: each row is a transaction and what only one of its group may have
SELECT
  o.tid AS tid,
  o.item AS code
FROM occurrence AS o
JOIN sensitive_item AS s
  ON s.item = o.item
JOIN queue AS q
  ON q.tid = o.tid;

-- members
-- member: each row is a transaction and its group
SELECT
  s.tid AS tid,
  s.team AS team
FROM settled_2 AS s
UNION ALL
SELECT
  r.tid AS tid,
  -1 - r.part AS team
FROM rest AS r
WHERE
  r.kept = 1
UNION ALL
SELECT
  b.tid AS tid,
  2000000000000 AS team
FROM basket AS b
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM queue AS q
    WHERE
      q.tid = b.tid
  );

-- clashes-persons
-- clash: each row is a transaction and what only one of its group may have
SELECT
  o.tid AS tid,
  o.item AS code
FROM occurrence AS o
JOIN sensitive_item AS s
  ON s.item = o.item
JOIN queue AS q
  ON q.tid = o.tid
UNION ALL
SELECT
  p.tid AS tid,
  -1 - p.person AS code
FROM (
  SELECT
    b.tid AS tid,
    b.person AS person,
    COUNT(*) OVER (PARTITION BY b.person) AS held
  FROM basket AS b
  JOIN queue AS q
    ON q.tid = b.tid
) AS p
WHERE
  p.held > 1;

-- members-persons
-- member: each row is a transaction and its group
SELECT
  s.tid AS tid,
  s.team AS team
FROM settled_2 AS s
UNION ALL
SELECT
  r.tid AS tid,
  -1 - r.part AS team
FROM rest AS r
WHERE
  r.kept = 1
UNION ALL
SELECT
  l.tid AS tid,
  1000000000000 + ROW_NUMBER() OVER (PARTITION BY b.person ORDER BY l.place, l.tid) AS team
FROM loose_2 AS l
JOIN basket AS b
  ON b.tid = l.tid
UNION ALL
SELECT
  b.tid AS tid,
  2000000000000 + ROW_NUMBER() OVER (PARTITION BY b.person ORDER BY b.tid) AS team
FROM basket AS b
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM queue AS q
    WHERE
      q.tid = b.tid
  );

-- members-long
-- member: each row is a transaction and its group
SELECT
  s.tid AS tid,
  s.team AS team
FROM settled_0 AS s
UNION ALL
SELECT
  r.tid AS tid,
  -1 - r.part AS team
FROM rest AS r
WHERE
  r.kept = 1;

-- crowded
-- crowded: lists the items that a larger share of the transactions holds than a group may hold
SELECT
  CAST(i.name AS TEXT) AS name,
  h.held AS held,
  n.transactions AS transactions
FROM (
  SELECT
    c.code AS code,
    COUNT(*) AS held
  FROM clash AS c
  WHERE
    c.code >= 0
  GROUP BY
    c.code
) AS h
CROSS JOIN (
  SELECT
    COUNT(*) AS transactions
  FROM queue AS q
) AS n
JOIN item AS i
  ON i.item = h.code
WHERE
  h.held * 4 > n.transactions
ORDER BY
  h.held DESC,
  i.item;

-- whole
-- part_0: each row is a transaction; the first part has all of them
SELECT
  q.tid AS tid,
  q.place AS place,
  1 AS part
FROM queue AS q;

-- halves-2
-- half_2: each row is a transaction and its half of its part
SELECT
  s.tid AS tid,
  s.place AS place,
  s.part AS part,
  CAST(s.part * 2 + s.nth * 2 // s.size AS INT) AS half
FROM (
  SELECT
    p.tid AS tid,
    p.place AS place,
    p.part AS part,
    ROW_NUMBER() OVER (PARTITION BY p.part ORDER BY p.place) - 1 AS nth,
    COUNT(*) OVER (PARTITION BY p.part) AS size
  FROM part_2 AS p
) AS s
WHERE
  s.size >= 48;

-- uncut-2
-- uncut_2: each row is a part with a half that holds an item too often
SELECT DISTINCT
  h.half // 2 AS part
FROM (
  SELECT
    f.half AS half,
    c.code AS code,
    COUNT(*) AS held
  FROM half_2 AS f
  JOIN clash AS c
    ON c.tid = f.tid
  GROUP BY
    f.half,
    c.code
) AS h
JOIN (
  SELECT
    f.half AS half,
    COUNT(*) AS size
  FROM half_2 AS f
  GROUP BY
    f.half
) AS s
  ON s.half = h.half
WHERE
  h.held * 4 > s.size;

-- cut-2
-- part_3: each row is a transaction of a part that was cut
SELECT
  h.tid AS tid,
  h.place AS place,
  h.half AS part
FROM half_2 AS h
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM uncut_2 AS u
    WHERE
      u.part = h.part
  );

-- halves-3
-- half_3: each row is a transaction and its half of its part
SELECT
  s.tid AS tid,
  s.place AS place,
  s.part AS part,
  CAST(s.part * 2 + s.nth * 2 // s.size AS INT) AS half
FROM (
  SELECT
    p.tid AS tid,
    p.place AS place,
    p.part AS part,
    ROW_NUMBER() OVER (PARTITION BY p.part ORDER BY p.place) - 1 AS nth,
    COUNT(*) OVER (PARTITION BY p.part) AS size
  FROM part_3 AS p
) AS s
WHERE
  s.size >= 48;

-- uncut-3
-- uncut_3: each row is a part with a half that holds an item too often
SELECT DISTINCT
  h.half // 2 AS part
FROM (
  SELECT
    f.half AS half,
    c.code AS code,
    COUNT(*) AS held
  FROM half_3 AS f
  JOIN clash AS c
    ON c.tid = f.tid
  GROUP BY
    f.half,
    c.code
) AS h
JOIN (
  SELECT
    f.half AS half,
    COUNT(*) AS size
  FROM half_3 AS f
  GROUP BY
    f.half
) AS s
  ON s.half = h.half
WHERE
  h.held * 4 > s.size;

-- cut-3
-- part_4: each row is a transaction of a part that was cut
SELECT
  h.tid AS tid,
  h.place AS place,
  h.half AS part
FROM half_3 AS h
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM uncut_3 AS u
    WHERE
      u.part = h.part
  );

-- opened
-- open_1: each row is a transaction that is in no group yet, and its part
SELECT
  p.tid AS tid,
  p.place AS place,
  p.part AS part
FROM part_0 AS p
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM part_1 AS n
    WHERE
      n.tid = p.tid
  )
UNION ALL
SELECT
  p.tid AS tid,
  p.place AS place,
  p.part AS part
FROM part_1 AS p
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM part_2 AS n
    WHERE
      n.tid = p.tid
  )
UNION ALL
SELECT
  p.tid AS tid,
  p.place AS place,
  p.part AS part
FROM part_2 AS p;

-- windows
-- window_2: each row is an open transaction; a window makes a group a round
SELECT
  s.tid AS tid,
  s.part AS part,
  CAST(s.nth % s.windows AS INT) AS win,
  CAST(s.nth // s.windows AS INT) AS place,
  s.windows AS windows,
  s.size AS size
FROM (
  SELECT
    p.tid AS tid,
    p.part AS part,
    p.nth AS nth,
    p.size AS size,
    CASE WHEN p.size < 48 THEN 1 ELSE p.size // 24 END AS windows
  FROM (
    SELECT
      o.tid AS tid,
      o.part AS part,
      ROW_NUMBER() OVER (PARTITION BY o.part ORDER BY o.place) - 1 AS nth,
      COUNT(*) OVER (PARTITION BY o.part) AS size
    FROM open_2 AS o
  ) AS p
  WHERE
    p.size >= 8
) AS s;

-- scarce
-- scarce_2: each row is an item that almost every group must hold, and how many can do without
SELECT
  h.part AS part,
  h.code AS code,
  h.size // 4 - h.held AS slack
FROM (
  SELECT
    w.part AS part,
    c.code AS code,
    w.size AS size,
    w.windows AS windows,
    COUNT(*) AS held
  FROM window_2 AS w
  JOIN clash AS c
    ON c.tid = w.tid
  GROUP BY
    w.part,
    c.code,
    w.size,
    w.windows
) AS h
WHERE
  h.size // 4 - h.held < h.windows;

-- seeds
-- seed_2: each row is the transaction that a group is made around
SELECT
  w.tid AS tid,
  w.part AS part,
  w.win AS win
FROM window_2 AS w
JOIN (
  SELECT
    m.part AS part,
    m.win AS win,
    COUNT(*) AS size
  FROM window_2 AS m
  GROUP BY
    m.part,
    m.win
) AS n
  ON n.part = w.part AND n.win = w.win
WHERE
  w.place = 1 % n.size;

-- barred
-- barred_2: each row is a transaction that shares a sensitive item with a seed
SELECT DISTINCT
  w.tid AS tid
FROM seed_2 AS s
JOIN clash AS b
  ON b.tid = s.tid
JOIN window_2 AS w
  ON w.part = s.part AND w.win = s.win AND w.tid <> s.tid
JOIN clash AS a
  ON a.tid = w.tid AND a.code = b.code;

-- likened
-- likened_2: each row is an open transaction; those most like the seed of the window come first
SELECT
  w.tid AS tid,
  w.part AS part,
  w.win AS win,
  s.tid AS seed,
  CAST(ROW_NUMBER() OVER (
    PARTITION BY w.part, w.win
    ORDER BY CASE WHEN w.tid = s.tid THEN 0 ELSE 1 END, COALESCE(u.scarce, 0) DESC, COALESCE(c.common, 0) DESC, w.place
  ) AS INT) AS nth
FROM window_2 AS w
JOIN seed_2 AS s
  ON s.part = w.part AND s.win = w.win
LEFT JOIN (
  SELECT
    m.tid AS tid,
    COUNT(*) AS common
  FROM seed_2 AS f
  JOIN plain AS i
    ON i.tid = f.tid
  JOIN window_2 AS m
    ON m.part = f.part AND m.win = f.win
  JOIN plain AS p
    ON p.tid = m.tid AND p.item = i.item
  GROUP BY
    m.tid
) AS c
  ON c.tid = w.tid
LEFT JOIN (
  SELECT
    m.tid AS tid,
    COUNT(*) AS scarce
  FROM window_2 AS m
  JOIN clash AS h
    ON h.tid = m.tid
  JOIN scarce_2 AS r
    ON r.part = m.part AND r.code = h.code
  GROUP BY
    m.tid
) AS u
  ON u.tid = w.tid
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM barred_2 AS b
    WHERE
      b.tid = w.tid
  );

-- passed_over
-- passed_over_2: each row is a transaction that shares a sensitive item with a more similar one
SELECT DISTINCT
  e.tid AS tid
FROM (
  SELECT
    c.tid AS tid,
    k.nth AS nth,
    MIN(k.nth) OVER (PARTITION BY k.part, k.win, c.code) AS earliest
  FROM clash AS c
  JOIN likened_2 AS k
    ON k.tid = c.tid
) AS e
WHERE
  e.earliest < e.nth;

-- drawn
-- drawn_2: each row is a transaction of a group: no two share a code
SELECT
  t.tid AS tid,
  t.part AS part,
  t.win AS win,
  t.seed AS seed
FROM (
  SELECT
    l.tid AS tid,
    l.part AS part,
    l.win AS win,
    l.seed AS seed,
    ROW_NUMBER() OVER (PARTITION BY l.part, l.win ORDER BY l.nth) AS nth,
    COUNT(*) OVER (PARTITION BY l.part, l.win) AS free
  FROM likened_2 AS l
  WHERE
    NOT EXISTS(
      SELECT
        1 AS one
      FROM passed_over_2 AS e
      WHERE
        e.tid = l.tid
    )
) AS t
WHERE
  t.nth <= 4 AND t.free >= 4;

-- given_up
-- given_up_2: each row is a group after which the rest would hold a scarce item too often
SELECT DISTINCT
  r.part AS part,
  r.win AS win
FROM (
  SELECT
    g.part AS part,
    g.win AS win,
    s.code AS code,
    s.slack AS slack,
    ROW_NUMBER() OVER (PARTITION BY s.part, s.code ORDER BY g.win) AS nth
  FROM (
    SELECT DISTINCT
      d.part AS part,
      d.win AS win
    FROM drawn_2 AS d
  ) AS g
  JOIN scarce_2 AS s
    ON s.part = g.part
  WHERE
    NOT EXISTS(
      SELECT
        1 AS one
      FROM drawn_2 AS d
      JOIN clash AS c
        ON c.tid = d.tid
      WHERE
        d.part = g.part AND d.win = g.win AND c.code = s.code
    )
) AS r
WHERE
  r.nth > r.slack AND r.code >= 0;

-- formed
-- formed_2: each row is a transaction and the seed of its group
SELECT
  d.tid AS tid,
  d.seed AS team
FROM drawn_2 AS d
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM given_up_2 AS g
    WHERE
      g.part = d.part AND g.win = d.win
  );

-- reopened
-- open_3: each row is a transaction that is in no group yet
SELECT
  o.tid AS tid,
  o.place AS place,
  o.part AS part
FROM open_2 AS o
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM formed_2 AS f
    WHERE
      f.tid = o.tid
  );

-- rests
-- rest: each row is a transaction that is left; kept ones are a last group
SELECT
  o.tid AS tid,
  o.place AS place,
  o.part AS part,
  CASE WHEN t.part IS NULL THEN 1 ELSE 0 END AS kept
FROM open_3 AS o
LEFT JOIN (
  SELECT DISTINCT
    n.part AS part
  FROM (
    SELECT
      p.part AS part,
      c.code AS code,
      COUNT(*) AS held
    FROM open_3 AS p
    JOIN clash AS c
      ON c.tid = p.tid
    WHERE
      c.code < 0
    GROUP BY
      p.part,
      c.code
  ) AS n
  WHERE
    n.held > 1
) AS t
  ON t.part = o.part;

-- settled
-- settled_0: each row is a transaction of a group, and the group's place
SELECT
  f.tid AS tid,
  f.team AS team,
  CAST(DENSE_RANK() OVER (ORDER BY f.first, f.team) - 1 AS INT) AS place
FROM (
  SELECT
    m.tid AS tid,
    m.team AS team,
    MIN(q.place) OVER (PARTITION BY m.team) AS first
  FROM (
    SELECT
      f.tid AS tid,
      f.team AS team
    FROM formed_1 AS f
    UNION ALL
    SELECT
      f.tid AS tid,
      f.team AS team
    FROM formed_2 AS f
  ) AS m
  JOIN queue AS q
    ON q.tid = m.tid
) AS f;

-- settled-none
-- settled_0: each row is a transaction of a group, and the group's place
SELECT
  f.tid AS tid,
  f.team AS team,
  CAST(DENSE_RANK() OVER (ORDER BY f.first, f.team) - 1 AS INT) AS place
FROM (
  SELECT
    m.tid AS tid,
    m.team AS team,
    MIN(q.place) OVER (PARTITION BY m.team) AS first
  FROM (
    SELECT
      q.tid AS tid,
      q.tid AS team
    FROM queue AS q
    WHERE
      FALSE
  ) AS m
  JOIN queue AS q
    ON q.tid = m.tid
) AS f;

-- loose
-- loose_0: each row is a transaction that must join a group of others
SELECT
  r.tid AS tid,
  CAST(r.place * g.teams // n.queued AS INT) AS place
FROM rest AS r
CROSS JOIN (
  SELECT
    COUNT(DISTINCT s.team) AS teams
  FROM settled_0 AS s
) AS g
CROSS JOIN (
  SELECT
    COUNT(*) AS queued
  FROM queue AS q
) AS n
WHERE
  r.kept = 0;

-- wooed
-- wooed_2: each row is a transaction and the group that it tries
SELECT
  l.tid AS tid,
  l.place AS near,
  t.team AS team,
  t.place AS place
FROM loose_2 AS l
CROSS JOIN (
  SELECT
    COUNT(DISTINCT s.team) AS teams
  FROM settled_0 AS s
) AS n
JOIN (
  SELECT DISTINCT
    s.team AS team,
    s.place AS place
  FROM settled_0 AS s
) AS t
  ON t.place = (
    l.place + 2
  ) % n.teams;

-- refused
-- refused_2: each row is a transaction that does not fit the group it tries
SELECT DISTINCT
  w.tid AS tid
FROM wooed_2 AS w
JOIN clash AS c
  ON c.tid = w.tid
JOIN (
  SELECT
    s.team AS team,
    h.code AS code
  FROM settled_2 AS s
  JOIN clash AS h
    ON h.tid = s.tid
) AS g
  ON g.team = w.team AND g.code = c.code;

-- joined
-- joined_2: each row is a transaction that joins a group
SELECT
  a.tid AS tid,
  a.team AS team,
  a.place AS place
FROM (
  SELECT
    w.tid AS tid,
    w.team AS team,
    w.place AS place,
    ROW_NUMBER() OVER (PARTITION BY w.team ORDER BY w.near, w.tid) AS nth
  FROM wooed_2 AS w
  WHERE
    NOT EXISTS(
      SELECT
        1 AS one
      FROM refused_2 AS r
      WHERE
        r.tid = w.tid
    )
) AS a
WHERE
  a.nth = 1;

-- resettled
-- settled_3: each row is a transaction of a group
SELECT
  s.tid AS tid,
  s.team AS team,
  s.place AS place
FROM settled_2 AS s
UNION ALL
SELECT
  j.tid AS tid,
  j.team AS team,
  j.place AS place
FROM joined_2 AS j;

-- still_loose
-- loose_3: each row is a transaction that must join a group
SELECT
  l.tid AS tid,
  l.place AS place
FROM loose_2 AS l
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM joined_2 AS j
    WHERE
      j.tid = l.tid
  );

-- unsettled
-- unsettled: counts transactions with sensitive items that no group can take
SELECT
  COUNT(DISTINCT l.tid) AS missing
FROM loose_2 AS l
JOIN clash AS c
  ON c.tid = l.tid
WHERE
  c.code >= 0;
