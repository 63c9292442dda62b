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
  FROM (
    SELECT
      i.item AS id,
      i.support AS support,
      i.support AS antecedent_support,
      i.support AS consequent_support
    FROM item AS i
    WHERE
      1 = 0
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
