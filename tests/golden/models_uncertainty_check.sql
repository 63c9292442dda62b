-- keys
-- check_key: each row is a transaction of the release, numbered by key
SELECT
  ROW_NUMBER() OVER (ORDER BY c.key) - 1 AS tid,
  c.key AS key
FROM (
  SELECT DISTINCT
    r.key AS key
  FROM cells AS r
  WHERE
    NOT r.key IS NULL
) AS c;

-- unkeyed
-- check_unkeyed: counts rows without a transaction id: there must be none
SELECT
  COUNT(*) AS unkeyed
FROM cells AS r
WHERE
  r.key IS NULL;

-- names
-- check_name: each row is a name in the release, numbered by its text
SELECT
  DENSE_RANK() OVER (ORDER BY n.label) - 1 AS number,
  n.name AS name,
  n.label AS label
FROM (
  SELECT DISTINCT
    r.name AS name,
    CAST(r.name AS TEXT) AS label
  FROM cells AS r
  WHERE
    NOT r.name IS NULL
) AS n;

-- occurrences
-- check_pair: each row is a transaction and an item it holds, both packed into one number
SELECT DISTINCT
  t.tid * 2654435761 + n.number AS pair
FROM cells AS c
JOIN check_name AS n
  ON n.name = c.name
JOIN check_key AS t
  ON t.key = c.key;

-- items
-- check_item: each row is an item with its support, numbered from the rarest on
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY s.support, s.number) - 1 AS INT) AS item,
  s.number AS number,
  s.support AS support,
  n.label AS label,
  CASE
    WHEN EXISTS(
      SELECT
        1 AS one
      FROM sensitive AS r
      WHERE
        r.label = n.label
    )
    THEN 1
    ELSE 0
  END AS sensitive
FROM (
  SELECT
    p.pair % 2654435761 AS number,
    COUNT(*) AS support
  FROM check_pair AS p
  GROUP BY
    p.pair % 2654435761
) AS s
JOIN (
  SELECT DISTINCT
    number AS number,
    label AS label
  FROM check_name
) AS n
  ON n.number = s.number;

-- holdings
-- check_held: each row is a transaction and an item it holds; place is both in one number
SELECT
  h.tid AS tid,
  i.item AS item,
  h.tid * 2654435761 + i.item AS place,
  b.size AS size,
  b.bits AS bits
FROM (
  SELECT
    p.pair // 2654435761 AS tid,
    p.pair % 2654435761 AS number
  FROM check_pair AS p
) AS h
JOIN check_item AS i
  ON i.number = h.number
JOIN (
  SELECT
    p.pair // 2654435761 AS tid,
    COUNT(*) AS size,
    BIT_OR(CAST(1 AS BIGINT) << CAST((
      p.pair % 2654435761
    ) % 62 AS INT)) AS bits
  FROM check_pair AS p
  GROUP BY
    p.pair // 2654435761
) AS b
  ON b.tid = h.tid
ORDER BY
  tid,
  item;

-- secrets
-- check_secret: each row is a sensitive item beside other items of its transaction: a secret to be inferred
SELECT
  h.tid AS tid,
  h.item AS item,
  h.place AS place,
  h.size AS size
FROM check_held AS h
JOIN check_item AS i
  ON i.item = h.item
WHERE
  i.sensitive = 1 AND h.size > 1;

-- told
-- check_told: each row is an item that an attacker may know of a transaction with a secret
SELECT
  h.tid AS tid,
  h.item AS item,
  ROW_NUMBER() OVER (PARTITION BY h.tid ORDER BY h.item DESC) - 1 AS rest
FROM check_held AS h
WHERE
  EXISTS(
    SELECT
      1 AS one
    FROM check_secret AS s
    WHERE
      s.tid = h.tid
  );

-- first_sets
-- check_set_1: each row is a set of one item with its support
SELECT
  i.item AS id,
  0 AS parent,
  i.item AS item,
  i.support AS support
FROM check_item AS i;

-- first_witnesses
-- check_witness_1: each row is a witness: a transaction that holds a set of one item and a secret beside it
SELECT
  0 AS parent,
  t.item AS item,
  s.item AS secret,
  t.tid AS tid,
  t.rest AS rest
FROM check_told AS t
JOIN check_secret AS s
  ON s.tid = t.tid AND s.item <> t.item;

-- wholes
-- check_whole: each row is a secret and its transaction, of which an attacker knows all other items
WITH one AS (
  SELECT
    s.place AS place,
    s.tid AS tid,
    s.item AS secret,
    s.size AS size,
    MIN(t.item) AS rarest,
    BIT_OR(CAST(1 AS BIGINT) << CAST(i.number % 62 AS INT)) AS bits
  FROM check_secret AS s
  JOIN check_told AS t
    ON t.tid = s.tid AND t.item <> s.item
  JOIN check_item AS i
    ON i.item = t.item
  WHERE
    s.size > 2
  GROUP BY
    s.place,
    s.tid,
    s.item,
    s.size
)
SELECT
  ROW_NUMBER() OVER (ORDER BY o.place) - 1 AS whole,
  o.tid AS tid,
  o.secret AS secret,
  o.size - 1 AS known,
  o.rarest AS rarest,
  o.bits AS bits,
  CASE
    WHEN r.support <= (
      CAST(64 AS BIGINT) << CAST(LEAST(o.size, 32) AS INT)
    )
    THEN 1
    ELSE 1
  END AS step
FROM one AS o
JOIN check_item AS r
  ON r.item = o.rarest
WHERE
  r.support <= (
    CAST(64 AS BIGINT) << CAST(LEAST(o.size, 32) AS INT)
  ) OR FALSE;

-- wholes-some
-- check_whole: each row is a secret and its transaction, of which an attacker knows all other items
WITH one AS (
  SELECT
    s.place AS place,
    s.tid AS tid,
    s.item AS secret,
    s.size AS size,
    MIN(t.item) AS rarest,
    BIT_OR(CAST(1 AS BIGINT) << CAST(i.number % 62 AS INT)) AS bits
  FROM check_secret AS s
  JOIN check_told AS t
    ON t.tid = s.tid AND t.item <> s.item
  JOIN check_item AS i
    ON i.item = t.item
  WHERE
    s.size > 2
  GROUP BY
    s.place,
    s.tid,
    s.item,
    s.size
)
SELECT
  ROW_NUMBER() OVER (ORDER BY o.place) - 1 AS whole,
  o.tid AS tid,
  o.secret AS secret,
  o.size - 1 AS known,
  o.rarest AS rarest,
  o.bits AS bits,
  CASE
    WHEN r.support <= (
      CAST(64 AS BIGINT) << CAST(LEAST(o.size, 32) AS INT)
    )
    THEN 1
    ELSE 3
  END AS step
FROM one AS o
JOIN check_item AS r
  ON r.item = o.rarest
WHERE
  r.support <= (
    CAST(64 AS BIGINT) << CAST(LEAST(o.size, 32) AS INT)
  )
  OR r.support <= 24576;

-- matches
-- check_match: each row is a secret and another transaction that holds all items known to the attacker
WITH candidate AS (
  SELECT
    w.whole AS whole,
    w.tid AS tid,
    w.secret AS secret,
    w.known AS known,
    w.rarest AS rarest,
    x.tid AS other,
    x.size AS size
  FROM check_whole AS w
  JOIN check_held AS x
    ON x.item = w.rarest
  WHERE
    w.step = 1
    AND x.tid <> w.tid
    AND x.size >= w.known
    AND (
      x.bits & w.bits
    ) = w.bits
)
SELECT
  f.pair // 2654435761 AS whole,
  f.pair % 2654435761 AS other,
  f.size AS size
FROM (
  SELECT
    c.whole * 2654435761 + c.other AS pair,
    c.size AS size
  FROM candidate AS c
  JOIN check_told AS t
    ON t.tid = c.tid AND t.item > c.rarest AND t.item <> c.secret
  JOIN check_held AS h
    ON h.place = c.other * 2654435761 + t.item
  GROUP BY
    c.whole * 2654435761 + c.other,
    c.size,
    c.known
  HAVING
    COUNT(*) = c.known - 1
) AS f;

-- matches-some
-- check_match: each row is a secret and another transaction that holds all items known to the attacker
WITH candidate AS (
  SELECT
    w.whole AS whole,
    w.tid AS tid,
    w.secret AS secret,
    w.known AS known,
    w.rarest AS rarest,
    x.tid AS other,
    x.size AS size
  FROM check_whole AS w
  JOIN check_held AS x
    ON x.item = w.rarest
  WHERE
    w.step = 1
    AND x.tid <> w.tid
    AND x.size >= w.known
    AND (
      x.bits & w.bits
    ) = w.bits
  UNION ALL
  SELECT
    w.whole AS whole,
    w.tid AS tid,
    w.secret AS secret,
    w.known AS known,
    w.rarest AS rarest,
    x.tid AS other,
    x.size AS size
  FROM check_whole AS w
  JOIN check_held AS x
    ON x.item = w.rarest AND x.tid % 3 = 0
  WHERE
    w.step = 3
    AND x.tid <> w.tid
    AND x.size >= w.known
    AND (
      x.bits & w.bits
    ) = w.bits
)
SELECT
  f.pair // 2654435761 AS whole,
  f.pair % 2654435761 AS other,
  f.size AS size
FROM (
  SELECT
    c.whole * 2654435761 + c.other AS pair,
    c.size AS size
  FROM candidate AS c
  JOIN check_told AS t
    ON t.tid = c.tid AND t.item > c.rarest AND t.item <> c.secret
  JOIN check_held AS h
    ON h.place = c.other * 2654435761 + t.item
  GROUP BY
    c.whole * 2654435761 + c.other,
    c.size,
    c.known
  HAVING
    COUNT(*) = c.known - 1
) AS f;

-- covers
-- check_cover: each row is a secret; covers counts transactions with the known items but not the secret
SELECT
  w.tid AS tid,
  w.secret AS secret,
  w.known AS known,
  w.step AS step,
  COUNT(m.other) - COUNT(e.place) AS covers,
  COUNT(e.place) + 1 AS support,
  COUNT(CASE WHEN m.other < w.tid AND m.size = w.known + 1 THEN e.place END) AS repeats
FROM check_whole AS w
LEFT JOIN check_match AS m
  ON m.whole = w.whole
LEFT JOIN check_secret AS e
  ON e.place = m.other * 2654435761 + w.secret
GROUP BY
  w.tid,
  w.secret,
  w.known,
  w.step;

-- certain
-- check_certain: counts secrets that every transaction with the known items holds
SELECT
  COUNT(*) AS unsafe
FROM check_cover AS c
WHERE
  c.covers = 0 AND c.repeats = 0 AND c.step = 1 AND c.known <= 5;

-- uncovered
-- check_uncovered: lists rules without an exception, the shortest first
WITH worst AS (
  SELECT
    ROW_NUMBER() OVER (ORDER BY c.known, c.support DESC, c.tid, c.secret) AS place,
    c.tid AS tid,
    c.secret AS secret,
    c.support AS hits,
    c.support AS support
  FROM check_cover AS c
  WHERE
    c.covers = 0 AND c.repeats = 0 AND c.step = 1 AND c.known <= 5
), part AS (
  SELECT
    w.place AS place,
    t.item AS item
  FROM worst AS w
  JOIN check_told AS t
    ON t.tid = w.tid AND t.item <> w.secret
)
SELECT
  w.place AS place,
  w.hits AS hits,
  w.support AS support,
  x.label AS secret,
  i.label AS item
FROM worst AS w
JOIN (
  SELECT
    p.place AS place,
    p.item AS item
  FROM part AS p
) AS k
  ON k.place = w.place
JOIN check_item AS x
  ON x.item = w.secret
JOIN check_item AS i
  ON i.item = k.item
WHERE
  w.place <= 20
ORDER BY
  w.place,
  i.label;

-- judged-2
-- check_judged_2: counts rules from a set of size 2 to a secret, and the unsafe ones: none may be
SELECT
  COUNT(*) AS rules,
  CAST(COALESCE(SUM(CASE WHEN r.hits * 10 > 7 * r.support THEN 1 ELSE 0 END), 0) AS BIGINT) AS unsafe
FROM (
  SELECT
    s.id * 2654435761 + w.secret AS rule,
    s.support AS support,
    COUNT(*) AS hits
  FROM check_witness_2 AS w
  JOIN check_set_2 AS s
    ON s.parent = w.parent AND s.item = w.item
  GROUP BY
    s.id * 2654435761 + w.secret,
    s.support
) AS r;

-- unsafe-2
-- check_unsafe_2: lists unsafe rules from 2 items, the most confident first
WITH worst AS (
  SELECT
    ROW_NUMBER() OVER (ORDER BY r.hits * 1000000000 // r.support DESC, r.hits DESC, r.rule) AS place,
    r.rule // 2654435761 AS id,
    r.rule % 2654435761 AS secret,
    r.hits AS hits,
    r.support AS support
  FROM (
    SELECT
      s.id * 2654435761 + w.secret AS rule,
      s.support AS support,
      COUNT(*) AS hits
    FROM check_witness_2 AS w
    JOIN check_set_2 AS s
      ON s.parent = w.parent AND s.item = w.item
    GROUP BY
      s.id * 2654435761 + w.secret,
      s.support
  ) AS r
  WHERE
    r.hits * 10 > 7 * r.support
), part_2 AS (
  SELECT
    b.place AS place,
    s.item AS item,
    s.parent AS id
  FROM worst AS b
  JOIN check_set_2 AS s
    ON s.id = b.id
  WHERE
    b.place <= 20
), part_1 AS (
  SELECT
    b.place AS place,
    s.item AS item,
    s.parent AS id
  FROM part_2 AS b
  JOIN check_set_1 AS s
    ON s.id = b.id
  WHERE
    b.place <= 20
)
SELECT
  w.place AS place,
  w.hits AS hits,
  w.support AS support,
  x.label AS secret,
  i.label AS item
FROM worst AS w
JOIN (
  SELECT
    p.place AS place,
    p.item AS item
  FROM part_2 AS p
  UNION ALL
  SELECT
    p.place AS place,
    p.item AS item
  FROM part_1 AS p
) AS k
  ON k.place = w.place
JOIN check_item AS x
  ON x.item = w.secret
JOIN check_item AS i
  ON i.item = k.item
WHERE
  w.place <= 20
ORDER BY
  w.place,
  i.label;

-- judged-3
-- check_judged_3: counts rules from a set of size 3 to a secret, and the unsafe ones: none may be
SELECT
  COUNT(*) AS rules,
  CAST(COALESCE(SUM(CASE WHEN r.hits * 10 > 7 * r.support THEN 1 ELSE 0 END), 0) AS BIGINT) AS unsafe
FROM (
  SELECT
    s.id * 2654435761 + w.secret AS rule,
    s.support AS support,
    COUNT(*) AS hits
  FROM check_witness_3 AS w
  JOIN check_set_3 AS s
    ON s.parent = w.parent AND s.item = w.item
  GROUP BY
    s.id * 2654435761 + w.secret,
    s.support
) AS r;

-- unsafe-3
-- check_unsafe_3: lists unsafe rules from 3 items, the most confident first
WITH worst AS (
  SELECT
    ROW_NUMBER() OVER (ORDER BY r.hits * 1000000000 // r.support DESC, r.hits DESC, r.rule) AS place,
    r.rule // 2654435761 AS id,
    r.rule % 2654435761 AS secret,
    r.hits AS hits,
    r.support AS support
  FROM (
    SELECT
      s.id * 2654435761 + w.secret AS rule,
      s.support AS support,
      COUNT(*) AS hits
    FROM check_witness_3 AS w
    JOIN check_set_3 AS s
      ON s.parent = w.parent AND s.item = w.item
    GROUP BY
      s.id * 2654435761 + w.secret,
      s.support
  ) AS r
  WHERE
    r.hits * 10 > 7 * r.support
), part_3 AS (
  SELECT
    b.place AS place,
    s.item AS item,
    s.parent AS id
  FROM worst AS b
  JOIN check_set_3 AS s
    ON s.id = b.id
  WHERE
    b.place <= 20
), part_2 AS (
  SELECT
    b.place AS place,
    s.item AS item,
    s.parent AS id
  FROM part_3 AS b
  JOIN check_set_2 AS s
    ON s.id = b.id
  WHERE
    b.place <= 20
), part_1 AS (
  SELECT
    b.place AS place,
    s.item AS item,
    s.parent AS id
  FROM part_2 AS b
  JOIN check_set_1 AS s
    ON s.id = b.id
  WHERE
    b.place <= 20
)
SELECT
  w.place AS place,
  w.hits AS hits,
  w.support AS support,
  x.label AS secret,
  i.label AS item
FROM worst AS w
JOIN (
  SELECT
    p.place AS place,
    p.item AS item
  FROM part_3 AS p
  UNION ALL
  SELECT
    p.place AS place,
    p.item AS item
  FROM part_2 AS p
  UNION ALL
  SELECT
    p.place AS place,
    p.item AS item
  FROM part_1 AS p
) AS k
  ON k.place = w.place
JOIN check_item AS x
  ON x.item = w.secret
JOIN check_item AS i
  ON i.item = k.item
WHERE
  w.place <= 20
ORDER BY
  w.place,
  i.label;

-- growing-1
-- check_growing_1: each row is a witness of a set that could still be part of an unsafe rule
WITH witness AS (
  SELECT
    w.item AS item,
    w.secret AS secret,
    w.tid AS tid,
    COALESCE(c.covers, 0) AS covers
  FROM check_witness_1 AS w
  LEFT JOIN check_cover AS c
    ON c.tid = w.tid AND c.secret = w.secret
), doubtful AS (
  SELECT DISTINCT
    p.item AS item,
    p.secret AS secret
  FROM (
    SELECT
      w.item AS item,
      w.secret AS secret,
      w.covers AS covers,
      ROW_NUMBER() OVER (PARTITION BY w.item, w.secret ORDER BY w.covers) AS place
    FROM witness AS w
  ) AS p
  WHERE
    p.place * 3 > p.covers * 7
)
SELECT
  w.item AS id,
  w.secret AS secret,
  w.item AS item,
  w.tid AS tid,
  w.rest AS rest
FROM check_witness_1 AS w
JOIN doubtful AS d
  ON d.item = w.item AND d.secret = w.secret
WHERE
  w.rest > 0;

-- growing-2
-- check_growing_2: each row is a witness of a set that could still be part of an unsafe rule
SELECT
  s.id AS id,
  w.secret AS secret,
  w.item AS item,
  w.tid AS tid,
  w.rest AS rest
FROM check_witness_2 AS w
JOIN check_set_2 AS s
  ON s.parent = w.parent AND s.item = w.item
WHERE
  w.rest > 0;

-- tellings
-- check_tellings: counts the rows of the next relation: the run refuses one that is too large
SELECT
  CAST(COALESCE(SUM(s.size - 1), 0) AS BIGINT) AS n
FROM check_secret AS s;

-- growth-1
-- check_growth_1: bounds the witnesses of the next level: the run refuses too many
SELECT
  CAST(COALESCE(SUM(g.rest), 0) AS BIGINT) AS rows
FROM check_growing_1 AS g;

-- witnesses-2
-- check_witness_2: each row is a witness: a transaction that holds a set of 2 items and a secret beside it, and that covers do not prove safe
WITH larger AS (
  SELECT
    g.id AS parent,
    t.item AS item,
    g.secret AS secret,
    g.tid AS tid,
    t.rest AS rest
  FROM check_growing_1 AS g
  JOIN check_told AS t
    ON t.tid = g.tid AND t.item > g.item AND t.item <> g.secret
), witness AS (
  SELECT
    w.parent AS parent,
    w.item AS item,
    w.secret AS secret,
    w.tid AS tid,
    COALESCE(c.covers, 0) AS covers
  FROM larger AS w
  LEFT JOIN check_cover AS c
    ON c.tid = w.tid AND c.secret = w.secret
), doubtful AS (
  SELECT DISTINCT
    p.parent AS parent,
    p.item AS item,
    p.secret AS secret
  FROM (
    SELECT
      w.parent AS parent,
      w.item AS item,
      w.secret AS secret,
      w.covers AS covers,
      ROW_NUMBER() OVER (PARTITION BY w.parent, w.item, w.secret ORDER BY w.covers) AS place
    FROM witness AS w
  ) AS p
  WHERE
    p.place * 3 > p.covers * 7
)
SELECT
  l.parent AS parent,
  l.item AS item,
  l.secret AS secret,
  l.tid AS tid,
  l.rest AS rest
FROM larger AS l
JOIN doubtful AS d
  ON d.parent = l.parent AND d.item = l.item AND d.secret = l.secret;

-- work-2
-- check_work_2: counts holders of smaller sets: this decides how holders of larger sets are found
SELECT
  CAST(COALESCE(SUM(s.support * n.larger), 0) AS BIGINT) AS each,
  CAST(COALESCE(SUM(s.support), 0) AS BIGINT) AS once
FROM (
  SELECT
    d.parent AS parent,
    COUNT(*) AS larger
  FROM (
    SELECT DISTINCT
      w.parent AS parent,
      w.item AS item
    FROM check_witness_2 AS w
  ) AS d
  GROUP BY
    d.parent
) AS n
JOIN check_set_1 AS s
  ON s.id = n.parent;

-- reached-2
-- check_reached_2: each row is a set of 2 items and a transaction that holds it
SELECT
  n.parent AS parent,
  n.item AS item,
  h.tid AS tid
FROM (
  SELECT DISTINCT
    w.parent AS parent,
    w.item AS item
  FROM check_witness_2 AS w
) AS n
JOIN (
  SELECT
    h.item AS id,
    h.item AS item,
    h.tid AS tid
  FROM check_held AS h
) AS c
  ON c.id = n.parent
JOIN check_held AS h
  ON h.place = c.tid * 2654435761 + n.item;

-- reached-within-2
-- check_reached_2: each row is a set of 2 items and a transaction that holds it
SELECT
  c.id AS parent,
  h.item AS item,
  c.tid AS tid
FROM (
  SELECT
    h.item AS id,
    h.item AS item,
    h.tid AS tid
  FROM check_held AS h
) AS c
JOIN check_held AS h
  ON h.tid = c.tid AND h.place > c.tid * 2654435761 + c.item
WHERE
  EXISTS(
    SELECT
      1
    FROM check_witness_2 AS w
    WHERE
      w.parent = c.id AND w.item = h.item
  )
  AND EXISTS(
    SELECT
      1
    FROM check_witness_2 AS p
    WHERE
      p.parent = c.id
  );

-- reached-each-in-turns-2
-- check_reached_2: each row is a set of 2 items and a transaction that holds it
SELECT
  n.parent AS parent,
  n.item AS item,
  h.tid AS tid
FROM (
  SELECT DISTINCT
    w.parent AS parent,
    w.item AS item
  FROM check_witness_2 AS w
) AS n
JOIN (
  SELECT
    h.item AS id,
    h.item AS item,
    h.tid AS tid
  FROM check_held AS h
) AS c
  ON c.id = n.parent
JOIN check_held AS h
  ON h.place = c.tid * 2654435761 + n.item
  AND c.tid >= 7
  AND c.tid < 14
  AND h.tid >= 7
  AND h.tid < 14;

-- reached-within-in-turns-2
-- check_reached_2: each row is a set of 2 items and a transaction that holds it
SELECT
  c.id AS parent,
  h.item AS item,
  c.tid AS tid
FROM (
  SELECT
    h.item AS id,
    h.item AS item,
    h.tid AS tid
  FROM check_held AS h
) AS c
JOIN check_held AS h
  ON h.tid = c.tid AND h.place > c.tid * 2654435761 + c.item
WHERE
  EXISTS(
    SELECT
      1
    FROM check_witness_2 AS w
    WHERE
      w.parent = c.id AND w.item = h.item
  )
  AND EXISTS(
    SELECT
      1
    FROM check_witness_2 AS p
    WHERE
      p.parent = c.id
  )
  AND c.tid >= 7
  AND c.tid < 14
  AND h.tid >= 7
  AND h.tid < 14;

-- sets-2
-- check_set_2: each row is a set of 2 items with its support
SELECT
  ROW_NUMBER() OVER (ORDER BY n.parent, n.item) - 1 AS id,
  n.parent AS parent,
  n.item AS item,
  n.support AS support
FROM (
  SELECT
    r.pair // 2654435761 AS parent,
    r.pair % 2654435761 AS item,
    COUNT(*) AS support
  FROM (
    SELECT
      d.parent * 2654435761 + d.item AS pair
    FROM check_reached_2 AS d
  ) AS r
  GROUP BY
    r.pair
) AS n
JOIN check_set_1 AS s
  ON s.id = n.parent
WHERE
  n.support < s.support;

-- witnesses-3
-- check_witness_3: each row is a witness: a transaction that holds a set of 3 items and a secret beside it, and that covers do not prove safe
WITH larger AS (
  SELECT
    g.id AS parent,
    t.item AS item,
    g.secret AS secret,
    g.tid AS tid,
    t.rest AS rest
  FROM check_growing_2 AS g
  JOIN check_told AS t
    ON t.tid = g.tid AND t.item > g.item AND t.item <> g.secret
), witness AS (
  SELECT
    w.parent AS parent,
    w.item AS item,
    w.secret AS secret,
    w.tid AS tid,
    COALESCE(c.covers, 0) AS covers
  FROM larger AS w
  LEFT JOIN check_cover AS c
    ON c.tid = w.tid AND c.secret = w.secret
), doubtful AS (
  SELECT DISTINCT
    p.parent AS parent,
    p.item AS item,
    p.secret AS secret
  FROM (
    SELECT
      w.parent AS parent,
      w.item AS item,
      w.secret AS secret,
      w.covers AS covers,
      ROW_NUMBER() OVER (PARTITION BY w.parent, w.item, w.secret ORDER BY w.covers) AS place
    FROM witness AS w
  ) AS p
  WHERE
    p.place * 3 > p.covers * 7
)
SELECT
  l.parent AS parent,
  l.item AS item,
  l.secret AS secret,
  l.tid AS tid,
  l.rest AS rest
FROM larger AS l
JOIN doubtful AS d
  ON d.parent = l.parent AND d.item = l.item AND d.secret = l.secret;

-- work-3
-- check_work_3: counts holders of smaller sets: this decides how holders of larger sets are found
SELECT
  CAST(COALESCE(SUM(s.support * n.larger), 0) AS BIGINT) AS each,
  CAST(COALESCE(SUM(s.support), 0) AS BIGINT) AS once
FROM (
  SELECT
    d.parent AS parent,
    COUNT(*) AS larger
  FROM (
    SELECT DISTINCT
      w.parent AS parent,
      w.item AS item
    FROM check_witness_3 AS w
  ) AS d
  GROUP BY
    d.parent
) AS n
JOIN check_set_2 AS s
  ON s.id = n.parent;

-- reached-3
-- check_reached_3: each row is a set of 3 items and a transaction that holds it
SELECT
  n.parent AS parent,
  n.item AS item,
  h.tid AS tid
FROM (
  SELECT DISTINCT
    w.parent AS parent,
    w.item AS item
  FROM check_witness_3 AS w
) AS n
JOIN (
  SELECT
    s.id AS id,
    s.item AS item,
    r.tid AS tid
  FROM check_reached_2 AS r
  JOIN check_set_2 AS s
    ON s.parent = r.parent AND s.item = r.item
) AS c
  ON c.id = n.parent
JOIN check_held AS h
  ON h.place = c.tid * 2654435761 + n.item;

-- reached-within-3
-- check_reached_3: each row is a set of 3 items and a transaction that holds it
SELECT
  c.id AS parent,
  h.item AS item,
  c.tid AS tid
FROM (
  SELECT
    s.id AS id,
    s.item AS item,
    r.tid AS tid
  FROM check_reached_2 AS r
  JOIN check_set_2 AS s
    ON s.parent = r.parent AND s.item = r.item
) AS c
JOIN check_held AS h
  ON h.tid = c.tid AND h.place > c.tid * 2654435761 + c.item
WHERE
  EXISTS(
    SELECT
      1
    FROM check_witness_3 AS w
    WHERE
      w.parent = c.id AND w.item = h.item
  )
  AND EXISTS(
    SELECT
      1
    FROM check_witness_3 AS p
    WHERE
      p.parent = c.id
  );

-- reached-each-in-turns-3
-- check_reached_3: each row is a set of 3 items and a transaction that holds it
SELECT
  n.parent AS parent,
  n.item AS item,
  h.tid AS tid
FROM (
  SELECT DISTINCT
    w.parent AS parent,
    w.item AS item
  FROM check_witness_3 AS w
) AS n
JOIN (
  SELECT
    s.id AS id,
    s.item AS item,
    r.tid AS tid
  FROM check_reached_2 AS r
  JOIN check_set_2 AS s
    ON s.parent = r.parent AND s.item = r.item
) AS c
  ON c.id = n.parent
JOIN check_held AS h
  ON h.place = c.tid * 2654435761 + n.item
  AND c.tid >= 7
  AND c.tid < 14
  AND h.tid >= 7
  AND h.tid < 14;

-- reached-within-in-turns-3
-- check_reached_3: each row is a set of 3 items and a transaction that holds it
SELECT
  c.id AS parent,
  h.item AS item,
  c.tid AS tid
FROM (
  SELECT
    s.id AS id,
    s.item AS item,
    r.tid AS tid
  FROM check_reached_2 AS r
  JOIN check_set_2 AS s
    ON s.parent = r.parent AND s.item = r.item
) AS c
JOIN check_held AS h
  ON h.tid = c.tid AND h.place > c.tid * 2654435761 + c.item
WHERE
  EXISTS(
    SELECT
      1
    FROM check_witness_3 AS w
    WHERE
      w.parent = c.id AND w.item = h.item
  )
  AND EXISTS(
    SELECT
      1
    FROM check_witness_3 AS p
    WHERE
      p.parent = c.id
  )
  AND c.tid >= 7
  AND c.tid < 14
  AND h.tid >= 7
  AND h.tid < 14;

-- sets-3
-- check_set_3: each row is a set of 3 items with its support
SELECT
  ROW_NUMBER() OVER (ORDER BY n.parent, n.item) - 1 AS id,
  n.parent AS parent,
  n.item AS item,
  n.support AS support
FROM (
  SELECT
    r.pair // 2654435761 AS parent,
    r.pair % 2654435761 AS item,
    COUNT(*) AS support
  FROM (
    SELECT
      d.parent * 2654435761 + d.item AS pair
    FROM check_reached_3 AS d
  ) AS r
  GROUP BY
    r.pair
) AS n
JOIN check_set_2 AS s
  ON s.id = n.parent
WHERE
  n.support < s.support;

-- holdings-persons
-- check_held: each row is a transaction and an item it holds; place is both in one number
SELECT
  h.tid AS tid,
  i.item AS item,
  h.tid * 2654435761 + i.item AS place,
  b.size AS size,
  b.bits AS bits,
  CASE WHEN r.number IS NULL THEN 0 ELSE 1 END AS again
FROM (
  SELECT
    p.pair // 2654435761 AS tid,
    p.pair % 2654435761 AS number
  FROM check_pair AS p
) AS h
JOIN check_item AS i
  ON i.number = h.number
JOIN (
  SELECT
    p.pair // 2654435761 AS tid,
    COUNT(*) AS size,
    BIT_OR(CAST(1 AS BIGINT) << CAST((
      p.pair % 2654435761
    ) % 62 AS INT)) AS bits
  FROM check_pair AS p
  GROUP BY
    p.pair // 2654435761
) AS b
  ON b.tid = h.tid
JOIN check_person AS o
  ON o.tid = h.tid
LEFT JOIN (
  SELECT
    q.person AS person,
    t.pair % 2654435761 AS number
  FROM check_pair AS t
  JOIN check_person AS q
    ON q.tid = t.pair // 2654435761
  GROUP BY
    q.person,
    t.pair % 2654435761
  HAVING
    COUNT(*) > 1
) AS r
  ON r.person = o.person AND r.number = h.number
ORDER BY
  tid,
  item;

-- reached-persons-2
-- check_reached_2: each row is a set of 2 items and a transaction that holds it
SELECT
  n.parent AS parent,
  n.item AS item,
  h.tid AS tid,
  LEAST(c.again, h.again) AS again
FROM (
  SELECT DISTINCT
    w.parent AS parent,
    w.item AS item
  FROM check_witness_2 AS w
) AS n
JOIN (
  SELECT
    h.item AS id,
    h.item AS item,
    h.tid AS tid,
    h.again AS again
  FROM check_held AS h
) AS c
  ON c.id = n.parent
JOIN check_held AS h
  ON h.place = c.tid * 2654435761 + n.item;

-- reached-within-persons-2
-- check_reached_2: each row is a set of 2 items and a transaction that holds it
SELECT
  c.id AS parent,
  h.item AS item,
  c.tid AS tid,
  LEAST(c.again, h.again) AS again
FROM (
  SELECT
    h.item AS id,
    h.item AS item,
    h.tid AS tid,
    h.again AS again
  FROM check_held AS h
) AS c
JOIN check_held AS h
  ON h.tid = c.tid AND h.place > c.tid * 2654435761 + c.item
WHERE
  EXISTS(
    SELECT
      1
    FROM check_witness_2 AS w
    WHERE
      w.parent = c.id AND w.item = h.item
  )
  AND EXISTS(
    SELECT
      1
    FROM check_witness_2 AS p
    WHERE
      p.parent = c.id
  );

-- reached-persons-3
-- check_reached_3: each row is a set of 3 items and a transaction that holds it
SELECT
  n.parent AS parent,
  n.item AS item,
  h.tid AS tid,
  LEAST(c.again, h.again) AS again
FROM (
  SELECT DISTINCT
    w.parent AS parent,
    w.item AS item
  FROM check_witness_3 AS w
) AS n
JOIN (
  SELECT
    s.id AS id,
    s.item AS item,
    r.tid AS tid,
    r.again AS again
  FROM check_reached_2 AS r
  JOIN check_set_2 AS s
    ON s.parent = r.parent AND s.item = r.item
) AS c
  ON c.id = n.parent
JOIN check_held AS h
  ON h.place = c.tid * 2654435761 + n.item;

-- reached-within-persons-3
-- check_reached_3: each row is a set of 3 items and a transaction that holds it
SELECT
  c.id AS parent,
  h.item AS item,
  c.tid AS tid,
  LEAST(c.again, h.again) AS again
FROM (
  SELECT
    s.id AS id,
    s.item AS item,
    r.tid AS tid,
    r.again AS again
  FROM check_reached_2 AS r
  JOIN check_set_2 AS s
    ON s.parent = r.parent AND s.item = r.item
) AS c
JOIN check_held AS h
  ON h.tid = c.tid AND h.place > c.tid * 2654435761 + c.item
WHERE
  EXISTS(
    SELECT
      1
    FROM check_witness_3 AS w
    WHERE
      w.parent = c.id AND w.item = h.item
  )
  AND EXISTS(
    SELECT
      1
    FROM check_witness_3 AS p
    WHERE
      p.parent = c.id
  );

-- first_sets-persons
-- check_set_1: each row is a set of one item with its support
WITH held AS (
  SELECT
    r.item AS item,
    CAST(SUM(r.persons) AS BIGINT) AS persons
  FROM (
    SELECT
      o.item AS item,
      COUNT(*) AS persons
    FROM check_held AS o
    WHERE
      o.again = 0
    GROUP BY
      o.item
    UNION ALL
    SELECT
      s.item AS item,
      1 AS persons
    FROM check_held AS s
    JOIN check_person AS p
      ON p.tid = s.tid
    WHERE
      s.again = 1
    GROUP BY
      s.item,
      p.person
  ) AS r
  GROUP BY
    r.item
)
SELECT
  i.item AS id,
  0 AS parent,
  i.item AS item,
  i.support AS support,
  n.persons AS persons
FROM check_item AS i
JOIN held AS n
  ON n.item = i.item;

-- covers-persons
-- check_cover: each row is a secret; covers counts transactions with the known items but not the secret
WITH outside AS (
  SELECT
    d.whole AS whole,
    COUNT(*) AS outsiders
  FROM (
    SELECT DISTINCT
      m.whole AS whole,
      p.person AS person
    FROM check_match AS m
    JOIN check_person AS p
      ON p.tid = m.other
  ) AS d
  JOIN check_whole AS x
    ON x.whole = d.whole
  WHERE
    NOT EXISTS(
      SELECT
        1
      FROM check_secret AS s
      JOIN check_person AS q
        ON q.tid = s.tid
      WHERE
        s.item = x.secret AND q.person = d.person
    )
  GROUP BY
    d.whole
)
SELECT
  w.tid AS tid,
  w.secret AS secret,
  w.known AS known,
  w.step AS step,
  COUNT(m.other) - COUNT(e.place) AS covers,
  COUNT(e.place) + 1 AS support,
  COUNT(CASE WHEN m.other < w.tid AND m.size = w.known + 1 THEN e.place END) AS repeats,
  COALESCE(MAX(o.outsiders), 0) AS outsiders
FROM check_whole AS w
LEFT JOIN check_match AS m
  ON m.whole = w.whole
LEFT JOIN check_secret AS e
  ON e.place = m.other * 2654435761 + w.secret
LEFT JOIN outside AS o
  ON o.whole = w.whole
GROUP BY
  w.tid,
  w.secret,
  w.known,
  w.step;

-- judged-persons
-- check_judged_2: counts rules from a set of size 2 to a secret, and the unsafe ones: none may be
SELECT
  COUNT(*) AS rules,
  CAST(COALESCE(
    SUM(
      CASE
        WHEN r.hits * 10 > 7 * r.support OR r.persons * 10 > 7 * r.of_persons
        THEN 1
        ELSE 0
      END
    ),
    0
  ) AS BIGINT) AS unsafe
FROM (
  SELECT
    r.rule AS rule,
    r.support AS support,
    r.of_persons AS of_persons,
    CAST(SUM(r.hits) AS BIGINT) AS hits,
    COUNT(*) AS persons
  FROM (
    SELECT
      s.id * 2654435761 + w.secret AS rule,
      p.person AS person,
      s.support AS support,
      s.persons AS of_persons,
      COUNT(*) AS hits
    FROM check_witness_2 AS w
    JOIN check_set_2 AS s
      ON s.parent = w.parent AND s.item = w.item
    JOIN check_person AS p
      ON p.tid = w.tid
    GROUP BY
      s.id * 2654435761 + w.secret,
      p.person,
      s.support,
      s.persons
  ) AS r
  GROUP BY
    r.rule,
    r.support,
    r.of_persons
) AS r;

-- growing-persons
-- check_growing_1: each row is a witness of a set that could still be part of an unsafe rule
WITH witness AS (
  SELECT
    w.item AS item,
    w.secret AS secret,
    w.tid AS tid,
    COALESCE(c.covers, 0) AS covers,
    COALESCE(c.outsiders, 0) AS outsiders
  FROM check_witness_1 AS w
  LEFT JOIN check_cover AS c
    ON c.tid = w.tid AND c.secret = w.secret
), doubtful AS (
  SELECT
    t.item AS item,
    t.secret AS secret
  FROM (
    SELECT DISTINCT
      p.item AS item,
      p.secret AS secret
    FROM (
      SELECT
        w.item AS item,
        w.secret AS secret,
        w.covers AS covers,
        ROW_NUMBER() OVER (PARTITION BY w.item, w.secret ORDER BY w.covers) AS place
      FROM witness AS w
    ) AS p
    WHERE
      p.place * 3 > p.covers * 7
  ) AS t
  UNION
  SELECT
    p.item AS item,
    p.secret AS secret
  FROM (
    SELECT
      l.item AS item,
      l.secret AS secret,
      l.outsiders AS outsiders,
      ROW_NUMBER() OVER (PARTITION BY l.item, l.secret ORDER BY l.outsiders) AS place
    FROM (
      SELECT
        w.item AS item,
        w.secret AS secret,
        q.person AS person,
        MIN(w.outsiders) AS outsiders
      FROM witness AS w
      JOIN check_person AS q
        ON q.tid = w.tid
      GROUP BY
        w.item,
        w.secret,
        q.person
    ) AS l
  ) AS p
  WHERE
    p.place * 3 > p.outsiders * 7
)
SELECT
  w.item AS id,
  w.secret AS secret,
  w.item AS item,
  w.tid AS tid,
  w.rest AS rest
FROM check_witness_1 AS w
JOIN doubtful AS d
  ON d.item = w.item AND d.secret = w.secret
WHERE
  w.rest > 0;

-- witnesses-persons
-- check_witness_2: each row is a witness: a transaction that holds a set of 2 items and a secret beside it, and that covers do not prove safe
WITH larger AS (
  SELECT
    g.id AS parent,
    t.item AS item,
    g.secret AS secret,
    g.tid AS tid,
    t.rest AS rest
  FROM check_growing_1 AS g
  JOIN check_told AS t
    ON t.tid = g.tid AND t.item > g.item AND t.item <> g.secret
), witness AS (
  SELECT
    w.parent AS parent,
    w.item AS item,
    w.secret AS secret,
    w.tid AS tid,
    COALESCE(c.covers, 0) AS covers,
    COALESCE(c.outsiders, 0) AS outsiders
  FROM larger AS w
  LEFT JOIN check_cover AS c
    ON c.tid = w.tid AND c.secret = w.secret
), doubtful AS (
  SELECT
    t.parent AS parent,
    t.item AS item,
    t.secret AS secret
  FROM (
    SELECT DISTINCT
      p.parent AS parent,
      p.item AS item,
      p.secret AS secret
    FROM (
      SELECT
        w.parent AS parent,
        w.item AS item,
        w.secret AS secret,
        w.covers AS covers,
        ROW_NUMBER() OVER (PARTITION BY w.parent, w.item, w.secret ORDER BY w.covers) AS place
      FROM witness AS w
    ) AS p
    WHERE
      p.place * 3 > p.covers * 7
  ) AS t
  UNION
  SELECT
    p.parent AS parent,
    p.item AS item,
    p.secret AS secret
  FROM (
    SELECT
      l.parent AS parent,
      l.item AS item,
      l.secret AS secret,
      l.outsiders AS outsiders,
      ROW_NUMBER() OVER (PARTITION BY l.parent, l.item, l.secret ORDER BY l.outsiders) AS place
    FROM (
      SELECT
        w.parent AS parent,
        w.item AS item,
        w.secret AS secret,
        q.person AS person,
        MIN(w.outsiders) AS outsiders
      FROM witness AS w
      JOIN check_person AS q
        ON q.tid = w.tid
      GROUP BY
        w.parent,
        w.item,
        w.secret,
        q.person
    ) AS l
  ) AS p
  WHERE
    p.place * 3 > p.outsiders * 7
)
SELECT
  l.parent AS parent,
  l.item AS item,
  l.secret AS secret,
  l.tid AS tid,
  l.rest AS rest
FROM larger AS l
JOIN doubtful AS d
  ON d.parent = l.parent AND d.item = l.item AND d.secret = l.secret;

-- sets-persons
-- check_set_2: each row is a set of 2 items with its support
SELECT
  ROW_NUMBER() OVER (ORDER BY n.parent, n.item) - 1 AS id,
  n.parent AS parent,
  n.item AS item,
  n.support AS support,
  n.persons AS persons
FROM (
  SELECT
    r.pair // 2654435761 AS parent,
    r.pair % 2654435761 AS item,
    CAST(SUM(r.held) AS BIGINT) AS support,
    CAST(SUM(r.persons) AS BIGINT) AS persons
  FROM (
    SELECT
      o.pair AS pair,
      COUNT(*) AS held,
      COUNT(*) AS persons
    FROM (
      SELECT
        d.parent * 2654435761 + d.item AS pair
      FROM check_reached_2 AS d
      WHERE
        d.again = 0
    ) AS o
    GROUP BY
      o.pair
    UNION ALL
    SELECT
      s.pair AS pair,
      COUNT(*) AS held,
      1 AS persons
    FROM (
      SELECT
        e.parent * 2654435761 + e.item AS pair,
        p.person AS person
      FROM check_reached_2 AS e
      JOIN check_person AS p
        ON p.tid = e.tid
      WHERE
        e.again = 1
    ) AS s
    GROUP BY
      s.pair,
      s.person
  ) AS r
  GROUP BY
    r.pair
) AS n
JOIN check_set_1 AS s
  ON s.id = n.parent
WHERE
  n.support < s.support;

-- unsafe-persons
-- check_unsafe_2: lists unsafe rules from 2 items, the most confident first
WITH worst AS (
  SELECT
    ROW_NUMBER() OVER (
      ORDER BY GREATEST(r.hits * 1000000000 // r.support, r.persons * 1000000000 // r.of_persons) DESC, r.hits DESC, r.rule
    ) AS place,
    r.rule // 2654435761 AS id,
    r.rule % 2654435761 AS secret,
    r.hits AS hits,
    r.support AS support,
    r.persons AS persons,
    r.of_persons AS of_persons
  FROM (
    SELECT
      r.rule AS rule,
      r.support AS support,
      r.of_persons AS of_persons,
      CAST(SUM(r.hits) AS BIGINT) AS hits,
      COUNT(*) AS persons
    FROM (
      SELECT
        s.id * 2654435761 + w.secret AS rule,
        p.person AS person,
        s.support AS support,
        s.persons AS of_persons,
        COUNT(*) AS hits
      FROM check_witness_2 AS w
      JOIN check_set_2 AS s
        ON s.parent = w.parent AND s.item = w.item
      JOIN check_person AS p
        ON p.tid = w.tid
      GROUP BY
        s.id * 2654435761 + w.secret,
        p.person,
        s.support,
        s.persons
    ) AS r
    GROUP BY
      r.rule,
      r.support,
      r.of_persons
  ) AS r
  WHERE
    r.hits * 10 > 7 * r.support OR r.persons * 10 > 7 * r.of_persons
), part_2 AS (
  SELECT
    b.place AS place,
    s.item AS item,
    s.parent AS id
  FROM worst AS b
  JOIN check_set_2 AS s
    ON s.id = b.id
  WHERE
    b.place <= 20
), part_1 AS (
  SELECT
    b.place AS place,
    s.item AS item,
    s.parent AS id
  FROM part_2 AS b
  JOIN check_set_1 AS s
    ON s.id = b.id
  WHERE
    b.place <= 20
)
SELECT
  w.place AS place,
  w.hits AS hits,
  w.support AS support,
  w.persons AS persons,
  w.of_persons AS of_persons,
  x.label AS secret,
  i.label AS item
FROM worst AS w
JOIN (
  SELECT
    p.place AS place,
    p.item AS item
  FROM part_2 AS p
  UNION ALL
  SELECT
    p.place AS place,
    p.item AS item
  FROM part_1 AS p
) AS k
  ON k.place = w.place
JOIN check_item AS x
  ON x.item = w.secret
JOIN check_item AS i
  ON i.item = k.item
WHERE
  w.place <= 20
ORDER BY
  w.place,
  i.label;

-- uncovered-persons
-- check_uncovered: lists rules without an exception, the shortest first
WITH worst AS (
  SELECT
    w.place AS place,
    w.tid AS tid,
    w.secret AS secret,
    w.hits AS hits,
    w.support AS support,
    n.persons AS persons,
    n.persons AS of_persons
  FROM (
    SELECT
      ROW_NUMBER() OVER (ORDER BY c.known, c.support DESC, c.tid, c.secret) AS place,
      c.tid AS tid,
      c.secret AS secret,
      c.support AS hits,
      c.support AS support,
      c.known AS known
    FROM check_cover AS c
    WHERE
      c.covers = 0 AND c.repeats = 0 AND c.step = 1 AND c.known <= 5
  ) AS w
  JOIN (
    SELECT
      n.place AS place,
      COUNT(*) AS persons
    FROM (
      SELECT DISTINCT
        c.place AS place,
        p.person AS person
      FROM (
        SELECT
          w.place AS place,
          h.tid AS tid
        FROM (
          SELECT
            ROW_NUMBER() OVER (ORDER BY c.known, c.support DESC, c.tid, c.secret) AS place,
            c.tid AS tid,
            c.secret AS secret,
            c.support AS hits,
            c.support AS support,
            c.known AS known
          FROM check_cover AS c
          WHERE
            c.covers = 0 AND c.repeats = 0 AND c.step = 1 AND c.known <= 5
        ) AS w
        JOIN check_told AS t
          ON t.tid = w.tid AND t.item <> w.secret
        JOIN check_held AS h
          ON h.item = t.item
        WHERE
          w.place <= 20
        GROUP BY
          w.place,
          w.known,
          h.tid
        HAVING
          COUNT(*) = w.known
      ) AS c
      JOIN check_person AS p
        ON p.tid = c.tid
    ) AS n
    GROUP BY
      n.place
  ) AS n
    ON n.place = w.place
), part AS (
  SELECT
    w.place AS place,
    t.item AS item
  FROM worst AS w
  JOIN check_told AS t
    ON t.tid = w.tid AND t.item <> w.secret
)
SELECT
  w.place AS place,
  w.hits AS hits,
  w.support AS support,
  w.persons AS persons,
  w.of_persons AS of_persons,
  x.label AS secret,
  i.label AS item
FROM worst AS w
JOIN (
  SELECT
    p.place AS place,
    p.item AS item
  FROM part AS p
) AS k
  ON k.place = w.place
JOIN check_item AS x
  ON x.item = w.secret
JOIN check_item AS i
  ON i.item = k.item
WHERE
  w.place <= 20
ORDER BY
  w.place,
  i.label;
