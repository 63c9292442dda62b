-- coded
-- coded: codes of the items; sensitive items have the last ones
SELECT
  i.item AS item,
  i.support AS support,
  CASE WHEN r.item IS NULL THEN 0 ELSE 1 END AS sensitive,
  CAST(ROW_NUMBER() OVER (ORDER BY CASE WHEN r.item IS NULL THEN 0 ELSE 1 END, i.support, i.item) AS BIGINT) AS code
FROM item AS i
LEFT JOIN sensitive_item AS r
  ON r.item = i.item;

-- totals
-- totals: counts of harmless items and of sensitive occurrences
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
-- extent: sizes of transactions, with their harmless items
SELECT
  o.tid AS tid,
  COUNT(*) AS held,
  COUNT(CASE WHEN o.code <= 40 THEN 1 END) AS known
FROM original AS o
GROUP BY
  o.tid;

-- lengths
-- lengths: lengths of transactions, which decide how long one with listed subsets may be
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
-- guarded: transactions that can keep sensitive items
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

-- guarded-distribution
-- guarded: transactions that can keep sensitive items
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

-- losses
-- losses: counts of suppressed occurrences and of transactions that lost some
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
