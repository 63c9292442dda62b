-- baskets
-- basket: each row is a transaction with its size, and a random number that decides its habits
SELECT
  r.tid,
  u.value AS size,
  r.roll // 65536 AS luck
FROM (
  SELECT
    b.tid,
    (
      CAST(b.tid AS BIGINT) * 48271 + 15
    ) % 2147483647 AS x,
    x * x % 2147483647 AS x2,
    (
      x2 * x2 % 2147483647
    ) * x % 2147483647 AS roll
  FROM RANGE(1, 5001) AS b(tid)
) AS r
JOIN size_urn AS u
  ON u.cell = r.roll % 65536;

-- picks
-- pick: each row is a pattern that a transaction draws, with a random number for its corruption
SELECT
  r.tid,
  r.size,
  r.visit,
  r.pick,
  u.value AS pattern,
  r.roll // 65536 AS luck
FROM (
  SELECT
    p.tid,
    p.size,
    p.visit,
    p.pick,
    (
      CAST(p.tid AS BIGINT) * 48271 + p.pick * 69621 + 16
    ) % 2147483647 AS x,
    x * x % 2147483647 AS x2,
    (
      x2 * x2 % 2147483647
    ) * x % 2147483647 AS roll
  FROM (
    SELECT
      b.tid,
      b.size,
      b.luck AS visit,
      UNNEST(RANGE(0, 1 + CAST(FLOOR(b.size * 0.7 / 3.5) AS BIGINT))) AS pick
    FROM basket AS b
  ) AS p
) AS r
JOIN pattern_urn AS u
  ON u.cell = r.roll % 65536;

-- owners
-- owner: each row is a transaction and its person; some shop more often
SELECT
  r.tid,
  CAST(1 + (
    r.roll * r.roll // 2147483647
  ) * 1000 // 2147483647 AS INT) AS person
FROM (
  SELECT
    b.tid,
    (
      CAST(b.tid AS BIGINT) * 48271 + 16
    ) % 2147483647 AS x,
    x * x % 2147483647 AS x2,
    (
      x2 * x2 % 2147483647
    ) * x % 2147483647 AS roll
  FROM basket AS b
) AS r;

-- picks-persons
-- pick: each row is a pattern that a transaction draws, with a random number for its corruption
SELECT
  r.tid,
  r.size,
  r.visit,
  r.pick,
  u.value AS pattern,
  r.roll // 65536 AS luck
FROM (
  SELECT
    p.tid,
    p.size,
    p.visit,
    p.pick,
    (
      CAST(CASE WHEN p.pick = 0 AND p.visit % 2 = 0 THEN p.person + 1000000000 ELSE p.tid END AS BIGINT) * 48271 + p.pick * 69621 + 16
    ) % 2147483647 AS x,
    x * x % 2147483647 AS x2,
    (
      x2 * x2 % 2147483647
    ) * x % 2147483647 AS roll
  FROM (
    SELECT
      b.tid,
      b.size,
      b.luck AS visit,
      w.person AS person,
      UNNEST(RANGE(0, 1 + CAST(FLOOR(b.size * 0.7 / 3.5) AS BIGINT))) AS pick
    FROM basket AS b
    JOIN owner AS w
      ON w.tid = b.tid
  ) AS p
) AS r
JOIN pattern_urn AS u
  ON u.cell = r.roll % 65536;

-- chosen
-- chosen: each row is a product in a transaction
WITH candidate AS (
  SELECT
    tid,
    size,
    item,
    rank
  FROM (
    SELECT
      r.tid,
      r.size,
      u.value AS item,
      r.nth AS rank
    FROM (
      SELECT
        v.tid,
        v.size,
        v.nth,
        (
          CAST(v.tid AS BIGINT) * 48271 + v.nth * 69621 + 18
        ) % 2147483647 AS x,
        x * x % 2147483647 AS x2,
        (
          x2 * x2 % 2147483647
        ) * x % 2147483647 AS roll
      FROM (
        SELECT
          b.tid,
          b.size,
          UNNEST(RANGE(0, 1 + b.luck % 2)) AS nth
        FROM basket AS b
        WHERE
          b.luck < 20
      ) AS v
    ) AS r
    JOIN prescription_urn AS u
      ON u.cell = r.roll % 262144
  ) AS p
  UNION ALL
  SELECT
    tid,
    size,
    item,
    rank
  FROM (
    SELECT
      p.tid,
      p.size,
      r.item,
      0 AS rank
    FROM pick AS p
    JOIN remedy AS r
      ON r.pattern = p.pattern
    WHERE
      p.pick = 0 AND p.visit >= 20 AND p.visit < 23
  ) AS p
  UNION ALL
  SELECT
    tid,
    size,
    item,
    rank
  FROM (
    SELECT
      p.tid,
      p.size,
      k.item,
      64 * (
        p.pick + 1
      ) + k.place AS rank
    FROM pick AS p
    JOIN keep AS k
      ON k.pattern = p.pattern AND k.variant = (
        p.tid + p.pick
      ) % 8
    WHERE
      p.luck >= k.from_luck
  ) AS p
  UNION ALL
  SELECT
    tid,
    size,
    item,
    rank
  FROM (
    SELECT
      r.tid,
      r.size,
      u.value AS item,
      1000000000 + r.nth AS rank
    FROM (
      SELECT
        s.tid,
        s.size,
        s.nth,
        (
          CAST(s.tid AS BIGINT) * 48271 + s.nth * 69621 + 17
        ) % 2147483647 AS x,
        x * x % 2147483647 AS x2,
        (
          x2 * x2 % 2147483647
        ) * x % 2147483647 AS roll
      FROM (
        SELECT
          b.tid,
          b.size,
          UNNEST(RANGE(0, 2 + b.size // 2)) AS nth
        FROM basket AS b
      ) AS s
    ) AS r
    JOIN product_urn AS u
      ON u.cell = r.roll % 262144
  ) AS p
), different AS (
  SELECT
    tid,
    item,
    MIN(size) AS size,
    MIN(rank) AS rank
  FROM candidate
  GROUP BY
    tid,
    item
)
SELECT
  tid,
  item
FROM different
QUALIFY
  ROW_NUMBER() OVER (PARTITION BY tid ORDER BY rank) <= size;

-- missing
-- chosen: each row is a further product of a transaction that is not full yet
WITH walk AS (
  SELECT
    r.tid,
    r.lacking,
    r.roll,
    UNNEST(RANGE(0, r.size)) AS nth
  FROM (
    SELECT
      s.tid,
      s.size,
      s.lacking,
      (
        CAST(s.tid AS BIGINT) * 48271 + 19
      ) % 2147483647 AS x,
      x * x % 2147483647 AS x2,
      (
        x2 * x2 % 2147483647
      ) * x % 2147483647 AS roll
    FROM (
      SELECT
        b.tid,
        b.size,
        b.size - COUNT(c.item) AS lacking
      FROM basket AS b
      LEFT JOIN chosen AS c
        ON c.tid = b.tid
      GROUP BY
        b.tid,
        b.size
      HAVING
        COUNT(c.item) < b.size
    ) AS s
  ) AS r
), way AS (
  SELECT
    tid,
    lacking,
    nth,
    (
      roll + nth * 294
    ) % 475 AS item
  FROM walk
)
SELECT
  w.tid,
  w.item
FROM way AS w
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM chosen AS c
    WHERE
      c.tid = w.tid AND c.item = w.item
  )
QUALIFY
  ROW_NUMBER() OVER (PARTITION BY w.tid ORDER BY w.nth) <= w.lacking;
