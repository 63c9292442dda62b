-- part-transactions
SELECT
  s."it'em" AS "it'em"
FROM run.main.source AS s
JOIN run.main.basket AS b
  ON b.key = s.tid
WHERE
  b.tid % 4 = 0;

-- part-persons
SELECT
  s."it'em" AS "it'em"
FROM run.main.source AS s
JOIN run.main.basket AS b
  ON b.key = s.line
WHERE
  b.person % 4 = 0
ORDER BY
  s.line;
