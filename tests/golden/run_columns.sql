-- rare_values
-- rare_value: counts the values of a column, and the transactions with a value that few hold
WITH cell AS (
  SELECT DISTINCT
    s.tid AS key,
    CAST(s."da'y" AS TEXT) AS value
  FROM source AS s
  WHERE
    NOT s.tid IS NULL AND NOT s."da'y" IS NULL
), held AS (
  SELECT
    c.value AS value,
    COUNT(*) AS transactions
  FROM cell AS c
  GROUP BY
    c.value
)
SELECT
  COUNT(DISTINCT h.value) AS distinct_values,
  COUNT(DISTINCT CASE WHEN h.transactions < 5 THEN c.key END) AS singled_out
FROM cell AS c
JOIN held AS h
  ON h.value = c.value;

-- rare_together
-- rare_together: counts the transactions whose values of all carried columns few have together
SELECT
  COUNT(DISTINCT CASE WHEN c.transactions < 5 THEN c.key END) AS singled_out
FROM (
  SELECT
    d.key AS key,
    COUNT(*) OVER (PARTITION BY d.value_0, d.value_1) AS transactions
  FROM (
    SELECT DISTINCT
      s.tid AS key,
      CAST(s."da'y" AS TEXT) AS value_0,
      CAST(s."b" AS TEXT) AS value_1
    FROM source AS s
    WHERE
      NOT s.tid IS NULL
  ) AS d
) AS c;
