-- rules_2_1: the rules whose confidence is enough
SELECT
  f.support AS support,
  a.support AS antecedent_support,
  c.support AS consequent_support,
  f.item_2 AS antecedent_1,
  f.item_3 AS antecedent_2,
  f.item_1 AS consequent_1
FROM found_3 AS f
JOIN found_2 AS a
  ON a.item_1 = f.item_2 AND a.item_2 = f.item_3
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
  f.item_3 AS antecedent_2,
  f.item_2 AS consequent_1
FROM found_3 AS f
JOIN found_2 AS a
  ON a.item_1 = f.item_1 AND a.item_2 = f.item_3
JOIN found_1 AS c
  ON c.item_1 = f.item_2
WHERE
  f.support * 5 >= 2 * a.support
UNION ALL
SELECT
  f.support AS support,
  a.support AS antecedent_support,
  c.support AS consequent_support,
  f.item_1 AS antecedent_1,
  f.item_2 AS antecedent_2,
  f.item_3 AS consequent_1
FROM found_3 AS f
JOIN found_2 AS a
  ON a.item_1 = f.item_1 AND a.item_2 = f.item_2
JOIN found_1 AS c
  ON c.item_1 = f.item_3
WHERE
  f.support * 5 >= 2 * a.support;
