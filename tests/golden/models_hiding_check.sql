-- keys
-- check_key: each row is a transaction of the original or the release, matched by key
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY n.label) - 1 AS INT) AS tid,
  n.label AS label
FROM (
  SELECT
    CAST(w.given AS TEXT) AS label
  FROM (
    SELECT DISTINCT
      o.key AS given
    FROM original AS o
  ) AS w
  WHERE
    NOT w.given IS NULL
  UNION
  SELECT
    CAST(i.given AS TEXT) AS label
  FROM (
    SELECT DISTINCT
      r.key AS given
    FROM released AS r
  ) AS i
  WHERE
    NOT i.given IS NULL
) AS n;

-- items
-- check_item: each row is an item of the original or the release, matched by name
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY n.label) - 1 AS INT) AS item,
  n.label AS label
FROM (
  SELECT
    CAST(w.given AS TEXT) AS label
  FROM (
    SELECT DISTINCT
      o.name AS given
    FROM original AS o
  ) AS w
  WHERE
    NOT w.given IS NULL
  UNION
  SELECT
    CAST(i.given AS TEXT) AS label
  FROM (
    SELECT DISTINCT
      r.name AS given
    FROM released AS r
  ) AS i
  WHERE
    NOT i.given IS NULL
) AS n;

-- words
-- check_was: each row is an item and a word of bits: one bit per transaction of the original with it
WITH known AS (
  SELECT
    g.key AS key,
    t.tid AS tid
  FROM (
    SELECT DISTINCT
      c.key AS key
    FROM original AS c
  ) AS g
  JOIN check_key AS t
    ON t.label = CAST(g.key AS TEXT)
), named AS (
  SELECT
    g.name AS name,
    i.item AS item
  FROM (
    SELECT DISTINCT
      c.name AS name
    FROM original AS c
  ) AS g
  JOIN check_item AS i
    ON i.label = CAST(g.name AS TEXT)
)
SELECT
  CAST(n.item AS BIGINT) * 2654435761 + (
    k.tid // 63
  ) AS cell,
  BIT_OR(CAST(1 AS BIGINT) << CAST(k.tid % 63 AS INT)) AS bits
FROM original AS c
JOIN known AS k
  ON k.key = c.key
JOIN named AS n
  ON n.name = c.name
GROUP BY
  CAST(n.item AS BIGINT) * 2654435761 + (
    k.tid // 63
  );

-- cohorts
-- check_cohort: each row is a pattern and a word of bits: its transactions in the original
SELECT
  h.pattern AS pattern,
  h.word AS word,
  BIT_AND(h.bits) AS bits
FROM (
  SELECT
    p.pattern AS pattern,
    w.cell % 2654435761 AS word,
    w.bits AS bits
  FROM check_pattern AS p
  JOIN check_was AS w
    ON w.cell // 2654435761 = p.item
) AS h
JOIN (
  SELECT
    pattern,
    COUNT(*) AS size
  FROM check_pattern
  GROUP BY
    pattern
) AS n
  ON n.pattern = h.pattern
GROUP BY
  h.pattern,
  h.word,
  n.size
HAVING
  COUNT(*) = n.size AND BIT_AND(h.bits) <> 0;

-- excused
-- check_excused: each row is an item and a word of bits: the transactions that may lose it to a pattern
SELECT
  CAST(p.item AS BIGINT) * 2654435761 + c.word AS cell,
  BIT_OR(c.bits) AS bits
FROM check_pattern AS p
JOIN check_cohort AS c
  ON c.pattern = p.pattern
GROUP BY
  CAST(p.item AS BIGINT) * 2654435761 + c.word;

-- changes
-- check_change: each row is a cell that changed, with the transactions it gained and lost
SELECT
  g.cell AS cell,
  0 AS added,
  BIT_COUNT(g.bits) AS removed,
  BIT_COUNT(g.bits - (
    g.bits & COALESCE(e.bits, 0)
  )) AS stray
FROM (
  SELECT
    w.cell AS cell,
    w.bits - (
      w.bits & COALESCE(i.bits, 0)
    ) AS bits
  FROM check_was AS w
  LEFT JOIN check_is AS i
    ON i.cell = w.cell
) AS g
LEFT JOIN check_excused AS e
  ON e.cell = g.cell
WHERE
  g.bits <> 0
UNION ALL
SELECT
  m.cell AS cell,
  BIT_COUNT(m.bits) AS added,
  0 AS removed,
  0 AS stray
FROM (
  SELECT
    i.cell AS cell,
    i.bits - (
      i.bits & COALESCE(w.bits, 0)
    ) AS bits
  FROM check_is AS i
  LEFT JOIN check_was AS w
    ON w.cell = i.cell
) AS m
WHERE
  m.bits <> 0;

-- totals
-- check_totals: counts occurrences that were added, removed, and removed without a pattern as reason
SELECT
  CAST(COALESCE(SUM(added), 0) AS BIGINT) AS added,
  CAST(COALESCE(SUM(removed), 0) AS BIGINT) AS removed,
  CAST(COALESCE(SUM(stray), 0) AS BIGINT) AS stray
FROM check_change;

-- tampered
-- check_tampered: lists items that were changed without a pattern as reason
SELECT
  i.label AS label,
  s.added AS added,
  s.stray AS stray
FROM (
  SELECT
    c.cell // 2654435761 AS item,
    CAST(SUM(c.added) AS BIGINT) AS added,
    CAST(SUM(c.stray) AS BIGINT) AS stray
  FROM check_change AS c
  WHERE
    c.added + c.stray > 0
  GROUP BY
    c.cell // 2654435761
) AS s
JOIN check_item AS i
  ON i.item = s.item
ORDER BY
  s.added + s.stray DESC,
  label
LIMIT 20;

-- supports
-- check_supports: lists the support of every pattern in the original and in the release
SELECT
  p.pattern AS pattern,
  COALESCE(w.support, 0) AS was,
  COALESCE(i.support, 0) AS stays
FROM (
  SELECT DISTINCT
    pattern
  FROM check_pattern
) AS p
LEFT JOIN (
  SELECT
    pattern,
    CAST(SUM(BIT_COUNT(bits)) AS BIGINT) AS support
  FROM check_cohort
  GROUP BY
    pattern
) AS w
  ON w.pattern = p.pattern
LEFT JOIN (
  SELECT
    pattern,
    CAST(SUM(BIT_COUNT(bits)) AS BIGINT) AS support
  FROM check_left
  GROUP BY
    pattern
) AS i
  ON i.pattern = p.pattern
ORDER BY
  pattern;

-- named_items
-- check_named: lists the items of --patterns
SELECT
  n.name AS name,
  i.item AS item
FROM named AS n
JOIN check_item AS i
  ON i.label = n.name
ORDER BY
  name;

-- labels
-- labels: lists the names of all items, to suggest one for a name that neither side holds
SELECT
  i.label AS name
FROM check_item AS i
ORDER BY
  name;

-- lines
-- check_lines: counts the transactions: without keys, lines are matched in their order
SELECT
  COUNT(*) AS lines
FROM beside AS r;
