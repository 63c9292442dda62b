-- itemsets-0
-- mined: each row is a frequent itemset with its support; the most frequent come first
SELECT
  u.items AS items,
  u.support AS support,
  CAST(u.support AS DOUBLE) / 5000 AS frequency
FROM (
  SELECT
    0 AS size,
    f.id AS id,
    f.support AS support,
    [item_1.name] AS items
  FROM (
    SELECT
      i.item AS id,
      i.support AS support,
      i.support AS antecedent_support,
      i.support AS consequent_support
    FROM item AS i
    WHERE
      FALSE
  ) AS f
  JOIN item AS item_1
    ON item_1.item = f.id
) AS u
ORDER BY
  u.support DESC,
  u.size,
  u.id;

-- itemsets-1
-- mined: each row is a frequent itemset with its support; the most frequent come first
SELECT
  u.items AS items,
  u.support AS support,
  CAST(u.support AS DOUBLE) / 5000 AS frequency
FROM (
  SELECT
    1 AS size,
    f.id AS id,
    f.support AS support,
    [item_1.name] AS items
  FROM found_1 AS f
  JOIN item AS item_1
    ON item_1.item = f.item_1
) AS u
ORDER BY
  u.support DESC,
  u.size,
  u.id;

-- itemsets-3
-- mined: each row is a frequent itemset with its support; the most frequent come first
SELECT
  u.items AS items,
  u.support AS support,
  CAST(u.support AS DOUBLE) / 5000 AS frequency
FROM (
  SELECT
    1 AS size,
    f.id AS id,
    f.support AS support,
    [item_1.name] AS items
  FROM found_1 AS f
  JOIN item AS item_1
    ON item_1.item = f.item_1
  UNION ALL
  SELECT
    2 AS size,
    f.id AS id,
    f.support AS support,
    [item_1.name, item_2.name] AS items
  FROM found_2 AS f
  JOIN item AS item_1
    ON item_1.item = f.item_1
  JOIN item AS item_2
    ON item_2.item = f.item_2
  UNION ALL
  SELECT
    3 AS size,
    f.id AS id,
    f.support AS support,
    [item_1.name, item_2.name, item_3.name] AS items
  FROM found_3 AS f
  JOIN item AS item_1
    ON item_1.item = f.item_1
  JOIN item AS item_2
    ON item_2.item = f.item_2
  JOIN item AS item_3
    ON item_3.item = f.item_3
) AS u
ORDER BY
  u.support DESC,
  u.size,
  u.id;

-- rules-0
-- mined: each row is an association rule with its confidence; the most confident come first
SELECT
  u.antecedent AS antecedent,
  u.consequent AS consequent,
  u.support AS support,
  CAST(u.support AS DOUBLE) / u.antecedent_support AS confidence,
  CAST(u.support AS DOUBLE) * 5000 / u.antecedent_support / u.consequent_support AS lift
FROM (
  SELECT
    f.support AS support,
    f.antecedent_support AS antecedent_support,
    f.consequent_support AS consequent_support,
    [antecedent_1.name] AS antecedent,
    [consequent_1.name] AS consequent
  FROM (
    SELECT
      i.item AS id,
      i.support AS support,
      i.support AS antecedent_support,
      i.support AS consequent_support
    FROM item AS i
    WHERE
      FALSE
  ) AS f
  JOIN item AS antecedent_1
    ON antecedent_1.item = f.id
  JOIN item AS consequent_1
    ON consequent_1.item = f.id
) AS u
ORDER BY
  confidence DESC,
  support DESC,
  antecedent,
  consequent;

-- rules-2
-- mined: each row is an association rule with its confidence; the most confident come first
SELECT
  u.antecedent AS antecedent,
  u.consequent AS consequent,
  u.support AS support,
  CAST(u.support AS DOUBLE) / u.antecedent_support AS confidence,
  CAST(u.support AS DOUBLE) * 5000 / u.antecedent_support / u.consequent_support AS lift
FROM (
  SELECT
    f.support AS support,
    f.antecedent_support AS antecedent_support,
    f.consequent_support AS consequent_support,
    [antecedent_1.name] AS antecedent,
    [consequent_1.name] AS consequent
  FROM rules_1_1 AS f
  JOIN item AS antecedent_1
    ON antecedent_1.item = f.antecedent_1
  JOIN item AS consequent_1
    ON consequent_1.item = f.consequent_1
  UNION ALL
  SELECT
    f.support AS support,
    f.antecedent_support AS antecedent_support,
    f.consequent_support AS consequent_support,
    [antecedent_1.name, antecedent_2.name] AS antecedent,
    [consequent_1.name] AS consequent
  FROM rules_2_1 AS f
  JOIN item AS antecedent_1
    ON antecedent_1.item = f.antecedent_1
  JOIN item AS antecedent_2
    ON antecedent_2.item = f.antecedent_2
  JOIN item AS consequent_1
    ON consequent_1.item = f.consequent_1
  UNION ALL
  SELECT
    f.support AS support,
    f.antecedent_support AS antecedent_support,
    f.consequent_support AS consequent_support,
    [antecedent_1.name] AS antecedent,
    [consequent_1.name, consequent_2.name] AS consequent
  FROM rules_1_2 AS f
  JOIN item AS antecedent_1
    ON antecedent_1.item = f.antecedent_1
  JOIN item AS consequent_1
    ON consequent_1.item = f.consequent_1
  JOIN item AS consequent_2
    ON consequent_2.item = f.consequent_2
) AS u
ORDER BY
  confidence DESC,
  support DESC,
  antecedent,
  consequent;
