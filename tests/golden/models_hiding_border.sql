-- legitimate
-- legitimate: each row is a frequent itemset without a pattern that suppression could make rare
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY m.size, m.itemset) - 1 AS INT) AS number,
  m.itemset AS itemset,
  m.size AS size,
  m.support AS support
FROM frequent_itemset AS m
JOIN (
  SELECT
    e.itemset AS itemset,
    CAST(SUM(q.transactions) AS BIGINT) AS harm
  FROM (
    SELECT DISTINCT
      f.itemset AS itemset,
      r.pattern AS pattern
    FROM frequent_member AS f
    JOIN restricted AS r
      ON r.item = f.item
  ) AS e
  JOIN quota AS q
    ON q.pattern = e.pattern
  GROUP BY
    e.itemset
) AS h
  ON h.itemset = m.itemset
WHERE
  h.harm > m.support - 200
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM frequent_restrictive AS g
    WHERE
      g.itemset = m.itemset
  );

-- held
-- held: each row is a sensitive transaction and a legitimate itemset that it holds
SELECT
  o.tid AS tid,
  l.number AS number
FROM conflict AS c
JOIN occurrence AS o
  ON o.tid = c.tid
JOIN frequent_member AS m
  ON m.item = o.item
JOIN legitimate AS l
  ON l.itemset = m.itemset
GROUP BY
  o.tid,
  l.number,
  l.size
HAVING
  COUNT(*) = l.size;

-- exposed
-- exposed: each row is a transaction that could lose a legitimate itemset with a pattern's item
SELECT DISTINCT
  h.tid AS tid,
  h.number AS number
FROM held AS h
JOIN legitimate AS l
  ON l.number = h.number
JOIN frequent_member AS m
  ON m.itemset = l.itemset
JOIN (
  SELECT DISTINCT
    s.tid AS tid,
    r.item AS item
  FROM sensitive AS s
  JOIN restricted AS r
    ON r.pattern = s.pattern
) AS v
  ON v.tid = h.tid AND v.item = m.item;

-- threats
-- threat: each row is a threatened itemset; slack is the number of transactions it can lose
SELECT
  l.number AS number,
  l.support - 200 AS slack
FROM legitimate AS l
JOIN (
  SELECT
    number,
    COUNT(*) AS losses
  FROM exposed
  GROUP BY
    number
) AS e
  ON e.number = l.number
WHERE
  e.losses > l.support - 200;

-- traits
-- trait: each row is a transaction and a trait: a pattern or a threatened itemset that it holds
SELECT
  s.tid AS tid,
  s.pattern AS trait
FROM sensitive AS s
UNION ALL
SELECT
  e.tid AS tid,
  6 + e.number AS trait
FROM exposed AS e
JOIN threat AS t
  ON t.number = e.number;

-- kinds
-- kind: each row is a transaction with its kind: transactions of one kind have equal traits
SELECT
  p.tid AS tid,
  CAST(DENSE_RANK() OVER (ORDER BY p.one, p.two, p.traits) - 1 AS INT) AS kind
FROM (
  SELECT
    t.tid AS tid,
    CAST(SUM(
      (
        (
          (
            (
              CAST(t.trait AS BIGINT) * 48271 + 69621
            ) % 2147483647
          ) * (
            (
              CAST(t.trait AS BIGINT) * 48271 + 69621
            ) % 2147483647
          ) % 2147483647
        ) * (
          (
            (
              CAST(t.trait AS BIGINT) * 48271 + 69621
            ) % 2147483647
          ) * (
            (
              CAST(t.trait AS BIGINT) * 48271 + 69621
            ) % 2147483647
          ) % 2147483647
        ) % 2147483647
      ) * (
        (
          CAST(t.trait AS BIGINT) * 48271 + 69621
        ) % 2147483647
      ) % 2147483647
    ) AS BIGINT) AS one,
    CAST(SUM(
      (
        (
          (
            (
              CAST(t.trait AS BIGINT) * 48271 + 139242
            ) % 2147483647
          ) * (
            (
              CAST(t.trait AS BIGINT) * 48271 + 139242
            ) % 2147483647
          ) % 2147483647
        ) * (
          (
            (
              CAST(t.trait AS BIGINT) * 48271 + 139242
            ) % 2147483647
          ) * (
            (
              CAST(t.trait AS BIGINT) * 48271 + 139242
            ) % 2147483647
          ) % 2147483647
        ) % 2147483647
      ) * (
        (
          CAST(t.trait AS BIGINT) * 48271 + 139242
        ) % 2147483647
      ) % 2147483647
    ) AS BIGINT) AS two,
    COUNT(*) AS traits
  FROM trait AS t
  GROUP BY
    t.tid
) AS p;

-- mixed
-- mixed: counts traits that only part of a kind has: 0, since no two sums were equal by chance
SELECT
  COUNT(*) AS mixed
FROM (
  SELECT
    k.kind AS kind,
    t.trait AS trait,
    COUNT(*) AS "having"
  FROM kind AS k
  JOIN trait AS t
    ON t.tid = k.tid
  GROUP BY
    k.kind,
    t.trait
) AS h
JOIN (
  SELECT
    kind,
    COUNT(*) AS transactions
  FROM kind
  GROUP BY
    kind
) AS n
  ON n.kind = h.kind
WHERE
  h."having" <> n.transactions;

-- kind_sizes
-- kind_sizes: counts the transactions of each kind
SELECT
  kind,
  COUNT(*) AS transactions
FROM kind
GROUP BY
  kind
ORDER BY
  kind;

-- kind_traits
-- kind_traits: lists the patterns and threatened itemsets of each kind
SELECT
  k.kind AS kind,
  t.trait AS trait
FROM kind AS k
JOIN trait AS t
  ON t.tid = k.tid
GROUP BY
  k.kind,
  t.trait
ORDER BY
  kind,
  trait;

-- threat_items
-- threat_items: lists the items of patterns in each threatened itemset, with the losses it can bear
SELECT
  t.number AS number,
  t.slack AS slack,
  m.item AS item
FROM threat AS t
JOIN legitimate AS l
  ON l.number = t.number
JOIN frequent_member AS m
  ON m.itemset = l.itemset
JOIN (
  SELECT DISTINCT
    item
  FROM restricted
) AS r
  ON r.item = m.item
ORDER BY
  number,
  item;

-- suppressed
-- suppressed: each row is an occurrence that the release leaves out
SELECT
  n.tid AS tid,
  l.item AS item,
  1 AS round
FROM (
  SELECT
    k.tid AS tid,
    k.kind AS kind,
    ROW_NUMBER() OVER (PARTITION BY k.kind ORDER BY b.key) AS place
  FROM kind AS k
  JOIN basket AS b
    ON b.tid = k.tid
) AS n
JOIN loss AS l
  ON l.kind = n.kind AND n.place > l.above AND n.place <= l.upto;
