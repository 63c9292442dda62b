-- mined: the most confident rules first, then the more frequent
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
