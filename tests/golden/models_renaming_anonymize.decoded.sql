-- code: the names that the codes stand for
SELECT
  i.item AS item,
  p.name AS code,
  CAST(ROW_NUMBER() OVER (ORDER BY p.name) AS INT) AS number
FROM item AS i
JOIN key_pair AS p
  ON p.code = CAST(i.name AS TEXT);
