-- outline: transactions in short
SELECT
  o.tid AS tid,
  COUNT(*) AS held,
  CAST(SUM(c.sensitive) AS BIGINT) AS secrets,
  COUNT(CASE WHEN c.place < 62 THEN 1 END) AS common,
  COALESCE(
    BIT_OR(CASE WHEN c.place < 62 THEN CAST(1 AS BIGINT) << CAST(c.place AS INT) END),
    CAST(0 AS BIGINT)
  ) AS bits
FROM original AS o
JOIN commonness AS c
  ON c.code = o.code
GROUP BY
  o.tid;
