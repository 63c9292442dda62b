-- common_rules
-- common_rules: counts the rules that the original and the release have in common
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
