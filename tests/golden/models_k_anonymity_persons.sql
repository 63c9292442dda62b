-- crowds
-- crowd_2: each row is a partition with its persons; those with two transactions count twice
SELECT
  p.part AS part,
  CAST(SUM(CASE WHEN p.transactions > 1 THEN 2 ELSE 1 END) AS BIGINT) AS room
FROM (
  SELECT
    opened.part AS part,
    b.person AS person,
    COUNT(*) AS transactions
  FROM open_2 AS opened
  JOIN (
    SELECT
      o.part AS part,
      MIN(o.branch) AS branch
    FROM open_2 AS o
    GROUP BY
      o.part
  ) AS f
    ON f.part = opened.part AND f.branch = opened.branch
  JOIN basket AS b
    ON b.tid = opened.tid
  GROUP BY
    opened.part,
    b.person
) AS p
GROUP BY
  p.part;

-- picked
-- picked_2: each row is a partition and the branch whose expansion gains most
SELECT
  ranked.part AS part,
  ranked.branch AS branch,
  ranked.gain AS gain,
  CASE WHEN ranked.room < 40 THEN 1 ELSE 0 END AS whole
FROM (
  SELECT
    opened.part AS part,
    opened.branch AS branch,
    c.room AS room,
    CAST(SUM(opened.gain) AS BIGINT) AS gain,
    ROW_NUMBER() OVER (
      PARTITION BY opened.part
      ORDER BY CAST(SUM(opened.gain) AS BIGINT) DESC, opened.branch
    ) AS place
  FROM open_2 AS opened
  JOIN crowd_2 AS c
    ON c.part = opened.part
  GROUP BY
    opened.part,
    opened.branch,
    c.room
) AS ranked
WHERE
  ranked.place = 1 OR ranked.room < 40;

-- shares
-- share_2: each row is a bucket of equal children and a person with transactions in it
SELECT
  parted.part AS part,
  parted.branch AS branch,
  parted.shape AS shape,
  b.person AS person,
  MAX(parted.whole) AS whole,
  COUNT(*) AS transactions,
  CAST(SUM(parted.gain) AS BIGINT) AS gain
FROM split_2 AS parted
JOIN basket AS b
  ON b.tid = parted.tid
GROUP BY
  parted.part,
  parted.branch,
  parted.shape,
  b.person;

-- sizes
-- size_2: each row is a bucket of equal children, with its persons
SELECT
  s.part AS part,
  s.branch AS branch,
  s.shape AS shape,
  MAX(s.whole) AS whole,
  CAST(SUM(s.transactions) AS BIGINT) AS transactions,
  COUNT(*) AS persons,
  CAST(SUM(s.gain) AS BIGINT) AS gain,
  ROW_NUMBER() OVER (ORDER BY s.part, s.branch, s.shape) AS number
FROM share_2 AS s
GROUP BY
  s.part,
  s.branch,
  s.shape;

-- lacks
-- lack_2: each row is a leftover of buckets with fewer than k persons, which all have fewer than k
SELECT
  p.part AS part,
  p.branch AS branch,
  COUNT(*) AS persons
FROM (
  SELECT DISTINCT
    s.part AS part,
    s.branch AS branch,
    s.person AS person
  FROM share_2 AS s
  JOIN size_2 AS z
    ON z.part = s.part AND z.branch = s.branch AND z.shape = s.shape
  WHERE
    z.persons < 20
) AS p
GROUP BY
  p.part,
  p.branch
HAVING
  COUNT(*) < 20;

-- givers
-- giver_2: each row is a person who can give a transaction to a leftover that lacks persons
SELECT
  g.part AS part,
  g.branch AS branch,
  g.shape AS shape,
  g.person AS person,
  g.sole AS sole
FROM (
  SELECT
    s.part AS part,
    s.branch AS branch,
    s.shape AS shape,
    s.person AS person,
    CASE WHEN s.transactions > 1 THEN 0 ELSE 1 END AS sole,
    MIN(z.persons) OVER (PARTITION BY s.part, s.branch, s.person) AS fewest,
    ROW_NUMBER() OVER (
      PARTITION BY s.part, s.branch, s.person
      ORDER BY CASE WHEN s.transactions > 1 THEN 0 ELSE 1 END, s.shape
    ) AS place
  FROM share_2 AS s
  JOIN lack_2 AS l
    ON l.part = s.part AND l.branch = s.branch
  JOIN size_2 AS z
    ON z.part = s.part AND z.branch = s.branch AND z.shape = s.shape
) AS g
WHERE
  g.place = 1 AND g.fewest >= 20;

-- fills
-- fill_2: each row is a leftover that lacks persons, and the number of those who can give to it
SELECT
  l.part AS part,
  l.branch AS branch,
  l.persons AS persons,
  CAST(COALESCE(SUM(c.free + CASE WHEN c.sole > c.spare THEN c.spare ELSE c.sole END), 0) AS BIGINT) AS surplus
FROM lack_2 AS l
LEFT JOIN (
  SELECT
    g.part AS part,
    g.branch AS branch,
    z.persons - 20 AS spare,
    COUNT(CASE WHEN g.sole = 0 THEN 1 END) AS free,
    COUNT(CASE WHEN g.sole = 1 THEN 1 END) AS sole
  FROM giver_2 AS g
  JOIN size_2 AS z
    ON z.part = g.part AND z.branch = g.branch AND z.shape = g.shape
  GROUP BY
    g.part,
    g.branch,
    g.shape,
    z.persons
) AS c
  ON c.part = l.part AND c.branch = l.branch
GROUP BY
  l.part,
  l.branch,
  l.persons;

-- buckets
-- bucket_2: each row is a bucket of equal children; buckets of fewer than k persons join the leftover
SELECT
  sized.was AS was,
  sized.branch AS branch,
  sized.shape AS shape,
  CASE WHEN sized.known + sized.surplus >= 20 THEN 20 - sized.known ELSE 0 END AS wanted,
  CASE
    WHEN sized.persons < 20
    THEN NULL
    WHEN sized.known = 0
    THEN 0
    WHEN sized.known + sized.surplus >= 20
    THEN sized.persons - 20
    WHEN sized.place = 1
    THEN NULL
    ELSE 0
  END AS spare,
  CAST(CASE WHEN sized.whole = 1 THEN 2 * sized.first + 1 ELSE 2 * sized.number END AS INT) AS part,
  CAST(2 * sized.first + 1 AS INT) AS rest
FROM (
  SELECT
    z.part AS was,
    z.branch AS branch,
    z.shape AS shape,
    z.whole AS whole,
    z.persons AS persons,
    z.number AS number,
    COALESCE(f.persons, 0) AS known,
    COALESCE(f.surplus, 0) AS surplus,
    MIN(z.number) OVER (PARTITION BY z.part) AS first,
    ROW_NUMBER() OVER (
      PARTITION BY z.part, z.branch
      ORDER BY CASE WHEN z.persons < 20 THEN 1 ELSE 0 END, z.persons, z.transactions, z.gain, z.shape
    ) AS place
  FROM size_2 AS z
  LEFT JOIN fill_2 AS f
    ON f.part = z.part AND f.branch = z.branch
) AS sized;

-- drawn
-- drawn_2: each row is a transaction that fills the leftover up to k persons: those of least gain
SELECT
  ranked.tid AS tid
FROM (
  SELECT
    willing.tid AS tid,
    willing.wanted AS wanted,
    ROW_NUMBER() OVER (PARTITION BY willing.part ORDER BY willing.gain, willing.tid) AS place
  FROM (
    SELECT
      least.tid AS tid,
      least.part AS part,
      least.gain AS gain,
      least.sole AS sole,
      least.spare AS spare,
      least.wanted AS wanted,
      ROW_NUMBER() OVER (PARTITION BY least.part, least.shape, least.sole ORDER BY least.gain, least.tid) AS place
    FROM (
      SELECT
        parted.tid AS tid,
        parted.part AS part,
        parted.shape AS shape,
        parted.gain AS gain,
        g.sole AS sole,
        bucket.spare AS spare,
        bucket.wanted AS wanted,
        ROW_NUMBER() OVER (PARTITION BY parted.part, g.person ORDER BY parted.gain, parted.tid) AS place
      FROM split_2 AS parted
      JOIN basket AS b
        ON b.tid = parted.tid
      JOIN giver_2 AS g
        ON g.part = parted.part
        AND g.branch = parted.branch
        AND g.shape = parted.shape
        AND g.person = b.person
      JOIN bucket_2 AS bucket
        ON bucket.was = parted.part
        AND bucket.branch = parted.branch
        AND bucket.shape = parted.shape
      WHERE
        bucket.wanted > 0
    ) AS least
    WHERE
      least.place = 1
  ) AS willing
  WHERE
    willing.sole = 0 OR willing.place <= willing.spare
) AS ranked
WHERE
  ranked.place <= ranked.wanted;

-- persons_of_kinds
-- persons_of_kinds: counts the persons of transactions with items, and without: these are classes apart
SELECT
  COUNT(DISTINCT CASE WHEN t.items = 0 THEN t.person END) AS persons_without,
  COUNT(DISTINCT CASE WHEN t.items > 0 THEN t.person END) AS persons_with
FROM (
  SELECT
    b.person AS person,
    b.tid AS tid,
    COUNT(o.item) AS items
  FROM basket AS b
  LEFT JOIN occurrence AS o
    ON o.tid = b.tid
  GROUP BY
    b.person,
    b.tid
) AS t;
