-- unknown_code: every code of the data must be in the key
SELECT
  CAST(i.name AS TEXT) AS name,
  COUNT(*) OVER () AS missing
FROM item AS i
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM key_pair AS p
    WHERE
      p.code = CAST(i.name AS TEXT)
  )
ORDER BY
  i.item
LIMIT 5;
