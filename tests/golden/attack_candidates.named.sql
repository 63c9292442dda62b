-- named: the names of the codes
SELECT
  c.name AS code,
  k.name AS name,
  CAST(a.parts AS DOUBLE) / 1000000 AS weight
FROM assigned AS a
JOIN item AS c
  ON c.item = a.mined
JOIN known_item AS k
  ON k.item = a.known
ORDER BY
  c.item;
