-- size_urn
-- size_urn: each row is a cell of an urn and its size: sizes follow a Poisson distribution
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
      k + 1 AS value,
      CAST(FLOOR(1e9 * EXP(k * LN(9.0) - 9.0 - LGAMMA(k + 1))) AS BIGINT) AS weight
    FROM RANGE(0, 475) AS r(k)
    WHERE
      ABS(k - 9.0) <= 5 * SQRT(9.0) + 5
  ) AS v
)
SELECT
  value,
  UNNEST(
    RANGE(
      n - 1 + (
        upto - weight
      ) * (
        65536 - count
      ) // total,
      n + upto * (
        65536 - count
      ) // total
    )
  ) AS cell
FROM running;

-- size_urn-least
-- size_urn: each row is a cell of an urn and its size: sizes follow a Poisson distribution
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
      k + 1 AS value,
      CAST(FLOOR(1e9 * EXP(k * LN(9.0) - 9.0 - LGAMMA(k + 1))) AS BIGINT) AS weight
    FROM RANGE(0, 475) AS r(k)
    WHERE
      ABS(k - 9.0) <= 5 * SQRT(9.0) + 5 AND k + 1 >= 8
  ) AS v
)
SELECT
  value,
  UNNEST(
    RANGE(
      n - 1 + (
        upto - weight
      ) * (
        65536 - count
      ) // total,
      n + upto * (
        65536 - count
      ) // total
    )
  ) AS cell
FROM running;

-- pattern_urn
-- pattern_urn: each row is a cell of an urn and its pattern: patterns are drawn by weight
WITH running AS (
  SELECT
    value,
    weight,
    ROW_NUMBER() OVER (ORDER BY weight, value) AS n,
    COUNT(*) OVER () AS count,
    CAST(SUM(weight) OVER (ORDER BY weight, value ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS BIGINT) AS upto,
    CAST(SUM(weight) OVER () AS BIGINT) AS total
  FROM (
    SELECT
      pattern AS value,
      weight
    FROM pattern
  ) AS v
)
SELECT
  value,
  UNNEST(
    RANGE(
      n - 1 + (
        upto - weight
      ) * (
        65536 - count
      ) // total,
      n + upto * (
        65536 - count
      ) // total
    )
  ) AS cell
FROM running;

-- pattern_rolls
-- pattern_roll: each row is one of six random numbers that shape a pattern
SELECT
  p.pattern,
  d.die,
  (
    CAST(p.pattern AS BIGINT) * 48271 + d.die * 69621 + 11
  ) % 2147483647 AS x,
  x * x % 2147483647 AS x2,
  (
    x2 * x2 % 2147483647
  ) * x % 2147483647 AS roll
FROM RANGE(0, 250) AS p(pattern), RANGE(0, 6) AS d(die);

-- patterns
-- pattern: each row is a pattern with its weight, its length and its corruption
SELECT
  d.pattern,
  d.occasion,
  u.value AS length,
  CAST(1000000 * d.weight AS BIGINT) + 1 AS weight,
  LEAST(1.0, 0.5 * d.share) AS share,
  LEAST(0.95, GREATEST(0.0, 0.25 * (
    1 + 0.632 * d.deviation
  ))) AS corruption
FROM (
  SELECT
    pattern,
    MAX(CASE WHEN die = 0 THEN -LN((
      roll + 1
    ) / 2147483648) END) AS weight,
    MAX(CASE WHEN die = 1 THEN roll % 65536 END) AS cell,
    MAX(CASE WHEN die = 2 THEN -LN((
      roll + 1
    ) / 2147483648) END) AS share,
    MAX(CASE WHEN die = 3 THEN SQRT(-2 * LN((
      roll + 1
    ) / 2147483648)) END) * MAX(CASE WHEN die = 4 THEN COS(2 * PI() * roll / 2147483647) END) AS deviation,
    MAX(CASE WHEN die = 5 THEN roll % occasions END) AS occasion
  FROM pattern_roll
  CROSS JOIN (
    SELECT
      COUNT(DISTINCT occasion) AS occasions
    FROM occasion
  ) AS known
  GROUP BY
    pattern
) AS d
JOIN pattern_size_urn AS u
  ON u.cell = d.cell;

-- slots
-- slot: each row is a slot of a pattern, and the earlier pattern whose product it inherits
SELECT
  pattern,
  slot,
  MAX(CASE WHEN slot >= length_before OR roll >= share * 2147483647 THEN pattern END) OVER (PARTITION BY slot ORDER BY pattern) AS origin
FROM (
  SELECT
    s.pattern,
    s.slot,
    s.length_before,
    s.share,
    (
      CAST(s.pattern AS BIGINT) * 48271 + s.slot * 69621 + 12
    ) % 2147483647 AS x,
    x * x % 2147483647 AS x2,
    (
      x2 * x2 % 2147483647
    ) * x % 2147483647 AS roll
  FROM (
    SELECT
      pattern,
      length,
      share,
      LAG(length, 1, 0) OVER (ORDER BY pattern) AS length_before,
      UNNEST(RANGE(0, length)) AS slot
    FROM pattern
  ) AS s
) AS r;

-- shelves
-- shelf: each row is a product group of an occasion, with its cells in the urn
SELECT
  o.occasion,
  o.place,
  MIN(u.cell) AS first_cell,
  COUNT(*) AS cells
FROM occasion AS o
JOIN product AS p
  ON p.product_group = o.product_group
JOIN product_urn AS u
  ON u.value = p.item
GROUP BY
  o.occasion,
  o.place;

-- pattern_items
-- pattern_item: each row is a product of a pattern
WITH choice AS (
  SELECT
    r.pattern,
    r.slot,
    COALESCE(s.first_cell + r.roll % s.cells, r.roll % 262144) AS cell
  FROM (
    SELECT
      s.pattern,
      s.slot,
      s.origin,
      (
        CAST(s.origin AS BIGINT) * 48271 + s.slot * 69621 + 13
      ) % 2147483647 AS x,
      x * x % 2147483647 AS x2,
      (
        x2 * x2 % 2147483647
      ) * x % 2147483647 AS roll
    FROM slot AS s
  ) AS r
  JOIN pattern AS p
    ON p.pattern = r.origin
  LEFT JOIN shelf AS s
    ON s.occasion = p.occasion
    AND s.place = (
      r.roll // 262144 // 10
    ) % 8
    AND (
      r.roll // 262144
    ) % 10 < 7
)
SELECT
  c.pattern,
  u.value AS item,
  MIN(c.slot) AS slot
FROM choice AS c
JOIN product_urn AS u
  ON u.cell = c.cell
GROUP BY
  c.pattern,
  u.value;

-- keeps
-- keep: each row is a product of a pattern, and the luck from which a pick keeps it
WITH ranked AS (
  SELECT
    i.pattern,
    i.item,
    p.corruption,
    ROW_NUMBER() OVER (PARTITION BY i.pattern ORDER BY i.slot) - 1 AS place,
    COUNT(*) OVER (PARTITION BY i.pattern) AS places
  FROM pattern_item AS i
  JOIN pattern AS p
    ON p.pattern = i.pattern
), turned AS (
  SELECT
    pattern,
    item,
    corruption,
    places,
    v.variant,
    (
      place + v.variant
    ) % places AS place
  FROM ranked
  CROSS JOIN RANGE(0, 8) AS v(variant)
)
SELECT
  pattern,
  variant,
  item,
  place,
  CAST(FLOOR(32768 * POWER(corruption, places - place)) AS INT) AS from_luck
FROM turned;

-- remedies
-- remedy: each row is a rare pattern and the prescription that goes with it
SELECT
  r.pattern,
  u.value AS item
FROM (
  SELECT
    rare.pattern,
    (
      CAST(rare.pattern AS BIGINT) * 48271 + 14
    ) % 2147483647 AS x,
    x * x % 2147483647 AS x2,
    (
      x2 * x2 % 2147483647
    ) * x % 2147483647 AS roll
  FROM (
    SELECT DISTINCT
      u.value AS pattern
    FROM pattern_urn AS u
    WHERE
      NOT EXISTS(
        SELECT
          1 AS one
        FROM pattern_urn AS heavy
        WHERE
          heavy.value = u.value AND heavy.cell >= 6553
      )
  ) AS rare
) AS r
JOIN prescription_urn AS u
  ON u.cell = r.roll % 262144;

-- generated
-- generated: each row is a transaction and a product in it, by name
SELECT
  CAST(c.tid AS INT) AS tid,
  p.name AS item
FROM chosen AS c
JOIN product AS p
  ON p.item = c.item;

-- generated-persons
-- generated: each row is a transaction and a product in it, by name
SELECT
  CAST(c.tid AS INT) AS tid,
  p.name AS item,
  w.person AS person
FROM chosen AS c
JOIN product AS p
  ON p.item = c.item
JOIN owner AS w
  ON w.tid = c.tid;

-- ordered
-- release: lists the generated transactions, in the order of the file
SELECT
  tid,
  item
FROM "generated"
ORDER BY
  tid,
  item;

-- ordered_hierarchy
-- hierarchy: lists the hierarchy of the generated products, in the order of the file
SELECT
  item,
  level1,
  level2,
  level3
FROM generated_hierarchy
ORDER BY
  item;

-- sizes
-- sizes: counts the generated transactions, products and occurrences
WITH basket_length AS (
  SELECT
    tid,
    COUNT(*) AS length
  FROM release
  GROUP BY
    tid
)
SELECT
  COUNT(*) AS transactions,
  (
    SELECT
      COUNT(DISTINCT item)
    FROM release
  ) AS items,
  CAST(SUM(length) AS BIGINT) AS occurrences,
  MAX(length) AS longest
FROM basket_length;
