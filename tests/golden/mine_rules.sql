-- to_one_item-2
-- rules_1_1: each row is a rule with enough confidence, and the supports of both sides
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

-- to_one_item-3
-- rules_2_1: each row is a rule with enough confidence, and the supports of both sides
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

-- to_more_items-1-2
-- rules_1_2: each row is a rule with enough confidence, and the supports of both sides
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

-- to_more_items-2-2
-- rules_2_2: each row is a rule with enough confidence, and the supports of both sides
SELECT
  f.support AS support,
  a.support AS antecedent_support,
  c.support AS consequent_support,
  f.antecedent_2 AS antecedent_1,
  f.antecedent_3 AS antecedent_2,
  f.antecedent_1 AS consequent_1,
  f.consequent_1 AS consequent_2
FROM rules_3_1 AS f
JOIN found_2 AS a
  ON a.item_1 = f.antecedent_2 AND a.item_2 = f.antecedent_3
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
  f.antecedent_3 AS antecedent_2,
  f.antecedent_2 AS consequent_1,
  f.consequent_1 AS consequent_2
FROM rules_3_1 AS f
JOIN found_2 AS a
  ON a.item_1 = f.antecedent_1 AND a.item_2 = f.antecedent_3
JOIN found_2 AS c
  ON c.item_1 = f.antecedent_2 AND c.item_2 = f.consequent_1
WHERE
  f.antecedent_2 < f.consequent_1 AND f.support * 5 >= 2 * a.support
UNION ALL
SELECT
  f.support AS support,
  a.support AS antecedent_support,
  c.support AS consequent_support,
  f.antecedent_1 AS antecedent_1,
  f.antecedent_2 AS antecedent_2,
  f.antecedent_3 AS consequent_1,
  f.consequent_1 AS consequent_2
FROM rules_3_1 AS f
JOIN found_2 AS a
  ON a.item_1 = f.antecedent_1 AND a.item_2 = f.antecedent_2
JOIN found_2 AS c
  ON c.item_1 = f.antecedent_3 AND c.item_2 = f.consequent_1
WHERE
  f.antecedent_3 < f.consequent_1 AND f.support * 5 >= 2 * a.support;

-- to_more_items-1-3
-- rules_1_3: each row is a rule with enough confidence, and the supports of both sides
SELECT
  f.support AS support,
  a.support AS antecedent_support,
  c.support AS consequent_support,
  f.antecedent_2 AS antecedent_1,
  f.antecedent_1 AS consequent_1,
  f.consequent_1 AS consequent_2,
  f.consequent_2 AS consequent_3
FROM rules_2_2 AS f
JOIN found_1 AS a
  ON a.item_1 = f.antecedent_2
JOIN found_3 AS c
  ON c.item_1 = f.antecedent_1
  AND c.item_2 = f.consequent_1
  AND c.item_3 = f.consequent_2
WHERE
  f.antecedent_1 < f.consequent_1 AND f.support * 5 >= 2 * a.support
UNION ALL
SELECT
  f.support AS support,
  a.support AS antecedent_support,
  c.support AS consequent_support,
  f.antecedent_1 AS antecedent_1,
  f.antecedent_2 AS consequent_1,
  f.consequent_1 AS consequent_2,
  f.consequent_2 AS consequent_3
FROM rules_2_2 AS f
JOIN found_1 AS a
  ON a.item_1 = f.antecedent_1
JOIN found_3 AS c
  ON c.item_1 = f.antecedent_2
  AND c.item_2 = f.consequent_1
  AND c.item_3 = f.consequent_2
WHERE
  f.antecedent_2 < f.consequent_1 AND f.support * 5 >= 2 * a.support;
