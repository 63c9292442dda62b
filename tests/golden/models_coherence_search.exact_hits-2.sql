-- exact_2: a bound that could be a breach is counted
SELECT
  b.id AS id,
  b.item AS item,
  CAST(SUM(BIT_COUNT(a.bits & s.bits)) AS BIGINT) AS hits
FROM bound_2 AS b
JOIN posting_2 AS a
  ON a.id = b.id
JOIN secret_posting AS s
  ON s.id = b.item AND s.block = a.block
WHERE
  b.hits * 5 > 2 * b.support
GROUP BY
  b.id,
  b.item;
