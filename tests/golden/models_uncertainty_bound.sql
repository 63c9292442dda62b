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
  n.sensitive AS sensitive,
  n.place AS place,
  CASE WHEN n.turn <= n.secrets + 1 THEN 1 ELSE 0 END AS early
FROM (
  SELECT
    o.tid AS tid,
    o.code AS code,
    c.support AS support,
    c.sensitive AS sensitive,
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

-- near
-- near: each row is two transactions, with the number of items of the first that the other holds
SELECT
  k.tid AS tid,
  k.other AS other,
  MIN(k.met) + COUNT(b.tid) AS met
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
  k.other;

-- nearest
-- nearest: each row is a transaction, with the most items that another one shares with it
SELECT
  b.tid AS tid,
  b.held AS held,
  b.secrets AS secrets,
  b.most AS most,
  CASE
    WHEN b.most > b.common AND b.most < b.held AND b.held - b.most <= b.secrets
    THEN b.held - b.most
  END AS lacks
FROM (
  SELECT
    o.tid AS tid,
    o.held AS held,
    o.secrets AS secrets,
    o.common AS common,
    CASE WHEN COALESCE(s.most, 0) > o.common THEN s.most ELSE o.common END AS most
  FROM outline AS o
  LEFT JOIN (
    SELECT
      n.tid AS tid,
      MAX(n.met) AS most
    FROM near AS n
    GROUP BY
      n.tid
  ) AS s
    ON s.tid = o.tid
  WHERE
    o.secrets > 0 AND o.held > 1
) AS b;

-- lacking
-- lacking: each row is an item that a nearest transaction lacks
SELECT
  n.tid AS tid,
  n.other AS other,
  e.code AS code,
  e.sensitive AS sensitive,
  CAST((
    e.place + 1
  ) * (
    e.place + 1
  ) * (
    e.place + 1
  ) % 1000000007 AS BIGINT) AS mark
FROM nearest AS r
JOIN near AS n
  ON n.tid = r.tid AND n.met = r.most
JOIN early AS e
  ON e.tid = n.tid
LEFT JOIN original AS o
  ON o.tid = n.other AND o.code = e.code
WHERE
  NOT r.lacks IS NULL AND o.tid IS NULL;

-- kept_with_little
-- kept_with_little: each row is a transaction that may lose one item less than any other one lacks
SELECT DISTINCT
  g.tid AS tid
FROM (
  SELECT
    l.tid AS tid,
    s.marks - l.mark AS beside,
    s.secrets - 1 AS gone,
    COUNT(DISTINCT l.code) AS kept
  FROM lacking AS l
  JOIN (
    SELECT
      a.tid AS tid,
      a.other AS other,
      CAST(SUM(a.mark) AS BIGINT) AS marks,
      CAST(SUM(a.sensitive) AS BIGINT) AS secrets
    FROM lacking AS a
    GROUP BY
      a.tid,
      a.other
  ) AS s
    ON s.tid = l.tid AND s.other = l.other
  WHERE
    l.sensitive = 1
  GROUP BY
    l.tid,
    s.marks - l.mark,
    s.secrets - 1
) AS g
JOIN nearest AS r
  ON r.tid = g.tid AND g.kept + g.gone = r.secrets;

-- least_loss
-- least_loss: sums the occurrences that any release must lose to keep the promise
SELECT
  CAST(COALESCE(
    SUM(
      CASE WHEN b.least < 0 THEN 0 WHEN b.least < b.secrets THEN b.least ELSE b.secrets END
    ),
    0
  ) AS BIGINT) AS least
FROM (
  SELECT
    r.secrets AS secrets,
    r.held - r.most - CASE WHEN r.lacks IS NULL OR NOT k.tid IS NULL THEN 1 ELSE 0 END AS least
  FROM nearest AS r
  LEFT JOIN kept_with_little AS k
    ON k.tid = r.tid
) AS b;
