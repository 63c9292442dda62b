-- code: codes at random: their order is that of a hash with a secret
SELECT
  h.item AS item,
  CAST(ROW_NUMBER() OVER (ORDER BY h.hash, h.item) AS INT) AS code,
  CAST(ROW_NUMBER() OVER (ORDER BY h.hash, h.item) AS INT) AS number
FROM (
  SELECT
    i.item AS item,
    MD5('a secret' || ':' || CAST(i.item AS TEXT)) AS hash
  FROM item AS i
) AS h;
