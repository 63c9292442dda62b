-- exposure_1: what an attacker of power 1 could single out
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
  ) AS parts
  GROUP BY
    block
) AS merged;
