-- truth: what the key says
SELECT
  c.item AS mined,
  k.item AS known
FROM key_pair AS p
JOIN item AS c
  ON CAST(c.name AS TEXT) = p.code
JOIN known_item AS k
  ON CAST(k.name AS TEXT) = p.name;
