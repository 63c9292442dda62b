-- lengths
-- length: each row is a transaction and its length
SELECT
  r.tid,
  LEAST(
    50,
    1 + CAST(FLOOR(3.677366737042782 * -LN((
      r.roll + 1
    ) / 2147483648)) AS BIGINT)
  ) AS length
FROM (
  SELECT
    t.tid,
    (
      CAST(t.tid AS BIGINT) * 48271 + 23
    ) % 2147483647 AS x,
    x * x % 2147483647 AS x2,
    (
      x2 * x2 % 2147483647
    ) * x % 2147483647 AS roll
  FROM RANGE(1, 5001) AS t(tid)
) AS r;

-- uniform
-- generated: each row is a transaction and an item of it
SELECT DISTINCT
  CAST(r.tid AS INT) AS tid,
  CAST(1 + r.roll % 5000 AS INT) AS item
FROM (
  SELECT
    s.tid,
    s.slot,
    (
      CAST(s.tid AS BIGINT) * 48271 + s.slot * 69621 + 24
    ) % 2147483647 AS x,
    x * x % 2147483647 AS x2,
    (
      x2 * x2 % 2147483647
    ) * x % 2147483647 AS roll
  FROM (
    SELECT
      tid,
      UNNEST(RANGE(0, length)) AS slot
    FROM length
  ) AS s
) AS r;

-- words
-- word: each row is a word, the most frequent first
SELECT
  n.number,
  CONCAT(a.text, b.text, c.text) AS text
FROM RANGE(0, 30000) AS n(number)
JOIN (
  SELECT
    v.place,
    v.text
  FROM (VALUES
    (0, 'ba'),
    (1, 'be'),
    (2, 'bi'),
    (3, 'bo'),
    (4, 'bu'),
    (5, 'da'),
    (6, 'de'),
    (7, 'di'),
    (8, 'do'),
    (9, 'du'),
    (10, 'fa'),
    (11, 'fe'),
    (12, 'fi'),
    (13, 'fo'),
    (14, 'fu'),
    (15, 'ga'),
    (16, 'ge'),
    (17, 'gi'),
    (18, 'go'),
    (19, 'gu'),
    (20, 'ka'),
    (21, 'ke'),
    (22, 'ki'),
    (23, 'ko'),
    (24, 'ku'),
    (25, 'la'),
    (26, 'le'),
    (27, 'li'),
    (28, 'lo'),
    (29, 'lu'),
    (30, 'ma'),
    (31, 'me'),
    (32, 'mi'),
    (33, 'mo'),
    (34, 'mu'),
    (35, 'na'),
    (36, 'ne'),
    (37, 'ni'),
    (38, 'no'),
    (39, 'nu')) AS v(place, text)
) AS a
  ON a.place = n.number % 40
JOIN (
  SELECT
    v.place,
    v.text
  FROM (VALUES
    (0, 'ba'),
    (1, 'be'),
    (2, 'bi'),
    (3, 'bo'),
    (4, 'bu'),
    (5, 'da'),
    (6, 'de'),
    (7, 'di'),
    (8, 'do'),
    (9, 'du'),
    (10, 'fa'),
    (11, 'fe'),
    (12, 'fi'),
    (13, 'fo'),
    (14, 'fu'),
    (15, 'ga'),
    (16, 'ge'),
    (17, 'gi'),
    (18, 'go'),
    (19, 'gu'),
    (20, 'ka'),
    (21, 'ke'),
    (22, 'ki'),
    (23, 'ko'),
    (24, 'ku'),
    (25, 'la'),
    (26, 'le'),
    (27, 'li'),
    (28, 'lo'),
    (29, 'lu'),
    (30, 'ma'),
    (31, 'me'),
    (32, 'mi'),
    (33, 'mo'),
    (34, 'mu'),
    (35, 'na'),
    (36, 'ne'),
    (37, 'ni'),
    (38, 'no'),
    (39, 'nu')) AS v(place, text)
) AS b
  ON b.place = n.number // 40 % 40
JOIN (
  SELECT
    v.place,
    v.text
  FROM (VALUES
    (0, 'ba'),
    (1, 'be'),
    (2, 'bi'),
    (3, 'bo'),
    (4, 'bu'),
    (5, 'da'),
    (6, 'de'),
    (7, 'di'),
    (8, 'do'),
    (9, 'du'),
    (10, 'fa'),
    (11, 'fe'),
    (12, 'fi'),
    (13, 'fo'),
    (14, 'fu'),
    (15, 'ga'),
    (16, 'ge'),
    (17, 'gi'),
    (18, 'go'),
    (19, 'gu'),
    (20, 'ka'),
    (21, 'ke'),
    (22, 'ki'),
    (23, 'ko'),
    (24, 'ku'),
    (25, 'la'),
    (26, 'le'),
    (27, 'li'),
    (28, 'lo'),
    (29, 'lu'),
    (30, 'ma'),
    (31, 'me'),
    (32, 'mi'),
    (33, 'mo'),
    (34, 'mu'),
    (35, 'na'),
    (36, 'ne'),
    (37, 'ni'),
    (38, 'no'),
    (39, 'nu')) AS v(place, text)
) AS c
  ON c.place = (
    n.number // (
      40 * 40
    ) + n.number
  ) % 40;

-- word_urn
-- word_urn: each row is a cell of an urn and its word: words follow Zipf's law
WITH running AS (
  SELECT
    value,
    weight,
    ROW_NUMBER() OVER (ORDER BY value, value) AS n,
    COUNT(*) OVER () AS count,
    CAST(SUM(weight) OVER (ORDER BY value, value ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS BIGINT) AS upto,
    CAST(SUM(weight) OVER () AS BIGINT) AS total
  FROM (
    SELECT
      number AS value,
      CAST(1000000000 // (
        number + 1
      ) AS BIGINT) AS weight
    FROM word
  ) AS v
)
SELECT
  value,
  UNNEST(
    RANGE(
      n - 1 + (
        upto - weight
      ) * (
        262144 - count
      ) // total,
      n + upto * (
        262144 - count
      ) // total
    )
  ) AS cell
FROM running;

-- sessions
-- session: each row is a session of a person
WITH dated AS (
  SELECT
    p.tid,
    UNNEST(
      RANGE(
        0,
        1 + LEAST(63, CAST(FLOOR(7.488875689418621 * -LN((
          p.roll + 1
        ) / 2147483648)) AS BIGINT))
      )
    ) AS session
  FROM (
    SELECT
      t.tid,
      (
        CAST(t.tid AS BIGINT) * 48271 + 25
      ) % 2147483647 AS x,
      x * x % 2147483647 AS x2,
      (
        x2 * x2 % 2147483647
      ) * x % 2147483647 AS roll
    FROM RANGE(1, 5001) AS t(tid)
  ) AS p
)
SELECT
  r.tid,
  r.session,
  r.roll % 262144 AS cell,
  1 + LEAST(
    31,
    CAST(FLOOR(1.957615188971218 * -LN((
      r.roll // 262144 + 1
    ) / 8192)) AS BIGINT)
  ) AS queries
FROM (
  SELECT
    d.tid,
    d.session,
    (
      CAST(d.tid AS BIGINT) * 48271 + (
        d.session + 1
      ) * 69621 + 25
    ) % 2147483647 AS x,
    x * x % 2147483647 AS x2,
    (
      x2 * x2 % 2147483647
    ) * x % 2147483647 AS roll
  FROM dated AS d
) AS r;

-- queries
-- generated: each row is a query of a person in a session
SELECT DISTINCT
  CAST(r.tid AS INT) AS tid,
  CAST(r.session AS INT) AS session,
  CASE
    WHEN r.roll // 262144 % 20 < 9
    THEN a.text
    WHEN r.roll // 262144 % 20 < 16
    THEN CONCAT(a.text, ' ', b.text)
    ELSE CONCAT(a.text, ' ', b.text, ' ', c.text)
  END AS item
FROM (
  SELECT
    s.tid,
    s.session,
    s.cell,
    (
      CAST(s.tid AS BIGINT) * 48271 + (
        s.session * 32 + s.slot
      ) * 69621 + 26
    ) % 2147483647 AS x,
    x * x % 2147483647 AS x2,
    (
      x2 * x2 % 2147483647
    ) * x % 2147483647 AS roll
  FROM (
    SELECT
      tid,
      session,
      cell,
      UNNEST(RANGE(0, queries)) AS slot
    FROM session
  ) AS s
) AS r
JOIN word_urn AS u
  ON u.cell = r.cell
JOIN word_urn AS v
  ON v.cell = r.roll % 262144
JOIN word_urn AS w
  ON w.cell = (
    r.roll // 7 + r.cell
  ) % 262144
JOIN word AS a
  ON a.number = u.value
JOIN word AS b
  ON b.number = v.value
JOIN word AS c
  ON c.number = w.value;

-- sessions_in_order
-- release: lists the generated queries, in the order of the file
SELECT
  tid,
  session,
  item
FROM "generated"
ORDER BY
  tid,
  session,
  item;
