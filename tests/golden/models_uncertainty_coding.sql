-- coded
-- coded: each row is an item and its code: harmless items first, sensitive items last
SELECT
  i.item AS item,
  i.support AS support,
  CASE WHEN r.item IS NULL THEN 0 ELSE 1 END AS sensitive,
  CAST(ROW_NUMBER() OVER (ORDER BY CASE WHEN r.item IS NULL THEN 0 ELSE 1 END, i.support, i.item) AS BIGINT) AS code
FROM item AS i
LEFT JOIN sensitive_item AS r
  ON r.item = i.item;

-- totals
-- totals: counts harmless items and occurrences of sensitive items
SELECT
  COUNT(CASE WHEN c.sensitive = 0 THEN 1 END) AS harmless,
  CAST(COALESCE(SUM(c.sensitive * c.support), 0) AS BIGINT) AS occurrences
FROM coded AS c;

-- original
-- original: each row is an occurrence; its roll orders the transactions at random
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

-- original-persons
-- original: each row is an occurrence; its roll orders the transactions at random
SELECT
  r.tid AS tid,
  r.owner_roll % 2 AS part,
  r.roll AS roll,
  r.code AS code
FROM (
  SELECT
    d.tid AS tid,
    d.code AS code,
    d.die * d.die % 2147483647 * (
      d.die * d.die % 2147483647
    ) % 2147483647 * d.die % 2147483647 AS roll,
    d.owner_die * d.owner_die % 2147483647 * (
      d.owner_die * d.owner_die % 2147483647
    ) % 2147483647 * d.owner_die % 2147483647 AS owner_roll
  FROM (
    SELECT
      o.tid AS tid,
      c.code AS code,
      (
        CAST(o.tid AS BIGINT) * 48271 % 2147483647 + 7
      ) % 2147483647 AS die,
      (
        CAST(f.tid AS BIGINT) * 48271 % 2147483647 + 7
      ) % 2147483647 AS owner_die
    FROM occurrence AS o
    JOIN coded AS c
      ON c.item = o.item
    JOIN (
      SELECT
        b.tid AS other,
        MIN(b.tid) OVER (PARTITION BY b.person) AS tid
      FROM basket AS b
    ) AS f
      ON f.other = o.tid
  ) AS d
) AS r;

-- extents
-- extent: each row is a transaction with its numbers of items and of harmless items
SELECT
  o.tid AS tid,
  COUNT(*) AS held,
  COUNT(CASE WHEN o.code <= 40 THEN 1 END) AS known
FROM original AS o
GROUP BY
  o.tid;

-- lengths
-- lengths: counts transactions by length, which decides the longest whose subsets are listed
SELECT
  e.held AS held,
  e.known AS known,
  COUNT(*) AS transactions
FROM extent AS e
WHERE
  e.held > 1 AND e.known < e.held
GROUP BY
  e.held,
  e.known
ORDER BY
  held,
  known;

-- guarded-rules
-- guarded: each row is a transaction that can keep sensitive items: its subsets are listed
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
-- gone: each row is an occurrence that is suppressed at once: its transaction is too long
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

-- guarded-distribution
-- guarded: each row is a transaction that can keep sensitive items: its subsets are listed
SELECT
  e.tid AS tid,
  CASE WHEN e.held <= 3 THEN e.held ELSE 3 END AS kept
FROM extent AS e
WHERE
  e.held > 1 AND e.known < e.held;

-- cut-distribution
-- gone: each row is an occurrence that is suppressed at once: its transaction is too long
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

-- repeated
-- repeated: each row is a person and an item of two of the person's transactions or more
SELECT
  b.person AS person,
  o.code AS code,
  MAX(CASE WHEN g.tid IS NULL THEN 0 ELSE 1 END) AS guarded
FROM original AS o
JOIN basket AS b
  ON b.tid = o.tid
LEFT JOIN guarded AS g
  ON g.tid = o.tid
GROUP BY
  b.person,
  o.code
HAVING
  COUNT(*) > 1;

-- watched
-- watched: each row is an occurrence of a guarded transaction
SELECT
  o.tid AS tid,
  o.part AS part,
  o.roll AS roll,
  o.code AS code
FROM original AS o
JOIN guarded AS g
  ON g.tid = o.tid;

-- watched-persons
-- watched: each row is an occurrence of a guarded transaction
SELECT
  o.tid AS tid,
  o.part AS part,
  o.roll AS roll,
  o.code AS code,
  b.person AS person,
  CASE WHEN a.code IS NULL THEN 0 ELSE 1 END AS again
FROM original AS o
JOIN guarded AS g
  ON g.tid = o.tid
JOIN basket AS b
  ON b.tid = o.tid
LEFT JOIN repeated AS a
  ON a.person = b.person AND a.code = o.code;

-- apart
-- apart: each row is an occurrence of a harmless item in a transaction that is not guarded
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

-- apart-persons
-- apart: each row is an occurrence of a harmless item in a transaction that is not guarded
SELECT
  o.tid AS tid,
  o.part AS part,
  o.code AS code,
  CASE WHEN a.code IS NULL THEN 0 ELSE 1 + a.guarded END AS again
FROM original AS o
JOIN basket AS b
  ON b.tid = o.tid
LEFT JOIN repeated AS a
  ON a.person = b.person AND a.code = o.code
WHERE
  o.code <= 40
  AND NOT EXISTS(
    SELECT
      1
    FROM guarded AS g
    WHERE
      g.tid = o.tid
  );

-- losses
-- losses: counts suppressed occurrences, and the transactions that lost some or all
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
