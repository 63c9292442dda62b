-- released
-- released: the release, in the numbers of the original
SELECT DISTINCT
  b.tid AS tid,
  l.item AS item
FROM (
  SELECT
    r.tid AS key,
    r.item AS name
  FROM release AS r
) AS c
JOIN basket AS b
  ON b.key = c.key
JOIN label AS l
  ON l.name = c.name
ORDER BY
  tid,
  item;

-- supports
-- supports: how the distribution of the items changed
SELECT
  i.item AS item,
  i.support AS original,
  COALESCE(r.support, 0) AS remaining
FROM item AS i
LEFT JOIN (
  SELECT
    o.item AS item,
    COUNT(*) AS support
  FROM released AS o
  GROUP BY
    o.item
) AS r
  ON r.item = i.item
ORDER BY
  item;

-- common_rules
-- common_rules: what can be mined from the release as from the original
SELECT
  COUNT(*) AS rules
FROM (
  SELECT
    b.support AS support
  FROM run.main.before_1_1 AS b
  JOIN run.main.after_1_1 AS a
    ON b.antecedent_1 = a.antecedent_1 AND b.consequent_1 = a.consequent_1
  UNION ALL
  SELECT
    b.support AS support
  FROM run.main.before_2_1 AS b
  JOIN run.main.after_2_1 AS a
    ON b.antecedent_1 = a.antecedent_1
    AND b.antecedent_2 = a.antecedent_2
    AND b.consequent_1 = a.consequent_1
) AS o;
