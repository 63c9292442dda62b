-- exposure_3: what an attacker of power 3 could single out
SELECT
  CAST(COALESCE(SUM(BIT_COUNT(bits)), 0) AS BIGINT) AS transactions
FROM (
  SELECT
    block,
    BIT_OR(bits) AS bits
  FROM (
    SELECT
      block,
      bits
    FROM exposed_1
    UNION ALL
    SELECT
      block,
      bits
    FROM exposed_2
    UNION ALL
    SELECT
      block,
      bits
    FROM exposed_3
  ) AS parts
  GROUP BY
    block
) AS merged;
