-- exact_4: a bound that could be a breach is counted
SELECT
  b.id AS id,
  b.item AS item,
  CAST(SUM(BIT_COUNT(a.bits & x.bits & s.bits)) AS BIGINT) AS hits
FROM bound_4 AS b
JOIN posting_3 AS a
  ON a.id = b.parent
JOIN posting_1 AS x
  ON x.id = b.last AND x.block = a.block
JOIN secret_posting AS s
  ON s.id = b.item AND s.block = a.block
WHERE
  b.hits * 5 > 2 * b.support
GROUP BY
  b.id,
  b.item;
