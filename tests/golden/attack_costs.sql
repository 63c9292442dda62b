-- given_costs
-- given_cost: each row is an itemset of names, or of codes, and its cost if it has no match
SELECT
  LIST_SORT(LIST_DISTINCT(f.items)) AS items,
  CAST(ROUND(f.cost * 1000000) AS BIGINT) AS parts,
  CAST(f.codes AS INT) AS codes
FROM file AS f;

-- cost_faults
-- cost_faults: counts incomplete and repeated rows: each itemset needs one cost above 0
SELECT
  CAST(COALESCE(SUM(g.incomplete), 0) AS BIGINT) AS incomplete,
  CAST(COALESCE(SUM(g.itemsets - 1), 0) AS BIGINT) AS repeated
FROM (
  SELECT
    c.items AS items,
    c.codes AS codes,
    COUNT(*) AS itemsets,
    SUM(
      CASE
        WHEN c.items IS NULL OR c.parts IS NULL OR c.parts <= 0 OR c.codes IS NULL
        THEN 1
        ELSE 0
      END
    ) AS incomplete
  FROM given_cost AS c
  GROUP BY
    c.items,
    c.codes
) AS g;

-- own_costs-known
-- known_cost: each row is an itemset that was known, and its own cost
SELECT
  m.id AS id,
  MIN(u.parts) AS parts
FROM (
  SELECT
    n.number AS number,
    n.parts AS parts,
    n.size AS size,
    UNNEST(n.items) AS name
  FROM (
    SELECT
      ROW_NUMBER() OVER (ORDER BY c.items) AS number,
      c.parts AS parts,
      CAST(LENGTH(c.items) AS INT) AS size,
      c.items AS items
    FROM given_cost AS c
    WHERE
      c.codes = 0
  ) AS n
) AS u
JOIN known_item AS i
  ON CAST(i.name AS TEXT) = CAST(u.name AS TEXT)
JOIN known_member AS m
  ON m.item = i.item
JOIN known_set AS s
  ON s.id = m.id AND s.size = u.size
GROUP BY
  m.id,
  u.number,
  u.size
HAVING
  COUNT(*) = u.size;

-- costs-known
-- known_costs: lists the costs of itemsets that have one of their own
SELECT
  c.id AS id,
  c.parts AS parts
FROM known_cost AS c
ORDER BY
  id;

-- own_costs-mined
-- mined_cost: each row is an itemset that was mined, and its own cost
SELECT
  m.id AS id,
  MIN(u.parts) AS parts
FROM (
  SELECT
    n.number AS number,
    n.parts AS parts,
    n.size AS size,
    UNNEST(n.items) AS name
  FROM (
    SELECT
      ROW_NUMBER() OVER (ORDER BY c.items) AS number,
      c.parts AS parts,
      CAST(LENGTH(c.items) AS INT) AS size,
      c.items AS items
    FROM given_cost AS c
    WHERE
      c.codes = 1
  ) AS n
) AS u
JOIN item AS i
  ON CAST(i.name AS TEXT) = CAST(u.name AS TEXT)
JOIN mined_member AS m
  ON m.item = i.item
JOIN mined_set AS s
  ON s.id = m.id AND s.size = u.size
GROUP BY
  m.id,
  u.number,
  u.size
HAVING
  COUNT(*) = u.size;

-- costs-mined
-- mined_costs: lists the costs of itemsets that have one of their own
SELECT
  c.id AS id,
  c.parts AS parts
FROM mined_cost AS c
ORDER BY
  id;
