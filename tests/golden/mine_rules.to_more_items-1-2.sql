-- rules_1_2: the rules whose confidence is enough
SELECT
  f.support AS support,
  a.support AS antecedent_support,
  c.support AS consequent_support,
  f.antecedent_2 AS antecedent_1,
  f.antecedent_1 AS consequent_1,
  f.consequent_1 AS consequent_2
FROM rules_2_1 AS f
JOIN found_1 AS a
  ON a.item_1 = f.antecedent_2
JOIN found_2 AS c
  ON c.item_1 = f.antecedent_1 AND c.item_2 = f.consequent_1
WHERE
  f.antecedent_1 < f.consequent_1 AND f.support * 5 >= 2 * a.support
UNION ALL
SELECT
  f.support AS support,
  a.support AS antecedent_support,
  c.support AS consequent_support,
  f.antecedent_1 AS antecedent_1,
  f.antecedent_2 AS consequent_1,
  f.consequent_1 AS consequent_2
FROM rules_2_1 AS f
JOIN found_1 AS a
  ON a.item_1 = f.antecedent_1
JOIN found_2 AS c
  ON c.item_1 = f.antecedent_2 AND c.item_2 = f.consequent_1
WHERE
  f.antecedent_2 < f.consequent_1 AND f.support * 5 >= 2 * a.support;
