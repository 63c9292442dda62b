-- threat: the border: itemsets that not everything can be taken from
SELECT
  l.number AS number,
  l.support - 200 AS slack
FROM legitimate AS l
JOIN (
  SELECT
    number,
    COUNT(*) AS losses
  FROM exposed
  GROUP BY
    number
) AS e
  ON e.number = l.number
WHERE
  e.losses > l.support - 200;
