-- empty: those who have nothing look alike, and like nobody else
SELECT
  COUNT(*) AS transactions
FROM basket AS b
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM occurrence AS o
    WHERE
      o.tid = b.tid
  );
