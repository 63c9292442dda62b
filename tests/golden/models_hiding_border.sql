-- legitimate
-- legitimate: what victims can take too much support from
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
-- held: the legitimate itemsets of sensitive transactions
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
-- exposed: where a victim can take support from a legitimate itemset
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
-- threat: the border: itemsets that not everything can be taken from
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
-- trait: what transactions are judged by
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
-- kind: transactions of the same traits are of one kind
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
-- mixed: sums can be equal by chance: not here
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
-- kind_sizes: how many can lose the same
SELECT
  kind,
  COUNT(*) AS transactions
FROM kind
GROUP BY
  kind
ORDER BY
  kind;

-- kind_traits
-- kind_traits: what each kind is judged by
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
-- threat_items: which victims hurt which itemset, and what it can bear
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
-- suppressed: what the release leaves out
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
