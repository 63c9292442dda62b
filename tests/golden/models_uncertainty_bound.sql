-- commonness
-- commonness: each row is an item with its place in the order of falling support
SELECT
  c.code AS code,
  c.sensitive AS sensitive,
  c.support AS support,
  CAST(ROW_NUMBER() OVER (ORDER BY c.support DESC, c.code) - 1 AS BIGINT) AS place
FROM coded AS c;

-- early
-- early: each row is an occurrence; early marks a transaction's rarest items, which near ones share
SELECT
  n.tid AS tid,
  n.code AS code,
  n.support AS support,
  n.place AS place,
  CASE WHEN n.turn <= n.secrets + 1 THEN 1 ELSE 0 END AS early
FROM (
  SELECT
    o.tid AS tid,
    o.code AS code,
    c.support AS support,
    c.place AS place,
    ROW_NUMBER() OVER (PARTITION BY o.tid ORDER BY c.place DESC) AS turn,
    COUNT(*) OVER (PARTITION BY o.tid) AS held,
    CAST(SUM(c.sensitive) OVER (PARTITION BY o.tid) AS BIGINT) AS secrets
  FROM original AS o
  JOIN commonness AS c
    ON c.code = o.code
) AS n
WHERE
  n.secrets > 0 AND n.held > 1;

-- outlines
-- outline: each row is a transaction with its size, and its most frequent items as bits
SELECT
  o.tid AS tid,
  COUNT(*) AS held,
  CAST(SUM(c.sensitive) AS BIGINT) AS secrets,
  COUNT(CASE WHEN c.place < 62 THEN 1 END) AS common,
  COALESCE(
    BIT_OR(CASE WHEN c.place < 62 THEN CAST(1 AS BIGINT) << CAST(c.place AS INT) END),
    CAST(0 AS BIGINT)
  ) AS bits
FROM original AS o
JOIN commonness AS c
  ON c.code = o.code
GROUP BY
  o.tid;

-- uncommon
-- uncommon: each row is an occurrence of an item that has no bit
SELECT
  o.tid AS tid,
  o.code AS code
FROM original AS o
JOIN commonness AS c
  ON c.code = o.code AND c.place >= 62;

-- meetings
-- meetings: counts pairs of transactions to compare, which decides the number of turns
SELECT
  CAST(COALESCE(SUM(e.support), 0) AS BIGINT) AS meetings,
  CAST(COALESCE(SUM(CASE WHEN e.place >= 62 THEN e.support END), 0) AS BIGINT) AS uncommon
FROM early AS e
WHERE
  e.early = 1;

-- shared
-- shared: each row is a transaction, with the most items that another transaction shares with it
SELECT
  s.tid AS tid,
  MAX(s.met + s.late) AS most
FROM (
  SELECT
    k.tid AS tid,
    MIN(k.met) AS met,
    COUNT(b.tid) AS late
  FROM (
    SELECT
      m.tid AS tid,
      m.other AS other,
      m.met + BIT_COUNT(x.bits & y.bits) AS met
    FROM (
      SELECT
        p.pair // 90 AS tid,
        p.pair % 90 AS other,
        p.met AS met
      FROM (
        SELECT
          a.tid * CAST(90 AS BIGINT) + b.tid AS pair,
          COUNT(*) AS met
        FROM early AS a
        JOIN uncommon AS b
          ON b.code = a.code AND b.tid <> a.tid
        WHERE
          a.early = 1 AND a.place >= 62 AND a.tid % 3 = 1
        GROUP BY
          a.tid * CAST(90 AS BIGINT) + b.tid
      ) AS p
    ) AS m
    JOIN outline AS x
      ON x.tid = m.tid
    JOIN outline AS y
      ON y.tid = m.other
    WHERE
      m.met + BIT_COUNT(x.bits & y.bits) + CASE
        WHEN x.held - x.common > x.secrets + 1
        THEN x.held - x.common - x.secrets - 1
        ELSE 0
      END >= x.held - x.secrets
  ) AS k
  LEFT JOIN early AS a
    ON a.tid = k.tid AND a.early = 0 AND a.place >= 62
  LEFT JOIN uncommon AS b
    ON b.tid = k.other AND b.code = a.code
  GROUP BY
    k.tid,
    k.other
) AS s
GROUP BY
  s.tid;

-- least_loss
-- least_loss: sums the occurrences that any release must lose to keep the promise
SELECT
  CAST(COALESCE(
    SUM(
      CASE
        WHEN b.most + 1 >= b.held
        THEN 0
        WHEN b.held - b.most - 1 < b.secrets
        THEN b.held - b.most - 1
        ELSE b.secrets
      END
    ),
    0
  ) AS BIGINT) AS least
FROM (
  SELECT
    o.held AS held,
    o.secrets AS secrets,
    CASE WHEN COALESCE(s.most, 0) > o.common THEN s.most ELSE o.common END AS most
  FROM outline AS o
  LEFT JOIN shared AS s
    ON s.tid = o.tid
  WHERE
    o.secrets > 0 AND o.held > 1
) AS b;
