-- rules_1_1: the rules whose confidence is enough
SELECT
  f.support AS support,
  a.support AS antecedent_support,
  c.support AS consequent_support,
  f.item_2 AS antecedent_1,
  f.item_1 AS consequent_1
FROM found_2 AS f
JOIN found_1 AS a
  ON a.item_1 = f.item_2
JOIN found_1 AS c
  ON c.item_1 = f.item_1
WHERE
  f.support * 5 >= 2 * a.support
UNION ALL
SELECT
  f.support AS support,
  a.support AS antecedent_support,
  c.support AS consequent_support,
  f.item_1 AS antecedent_1,
  f.item_2 AS consequent_1
FROM found_2 AS f
JOIN found_1 AS a
  ON a.item_1 = f.item_1
JOIN found_1 AS c
  ON c.item_1 = f.item_2
WHERE
  f.support * 5 >= 2 * a.support;
