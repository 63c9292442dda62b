-- codes
-- code: each row is an item and its random code, in an order that a secret decides
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

-- key_pairs
-- key_pair: each row is a code and its name, from the key file
SELECT
  CAST(f.code AS TEXT) AS code,
  f.name AS name
FROM file AS f;

-- key_sizes
-- key_size: counts rows, codes and names of the key: each code and each name must be there once
SELECT
  COUNT(*) AS pairs,
  COUNT(DISTINCT p.code) AS codes,
  COUNT(DISTINCT p.name) AS names
FROM key_pair AS p;

-- unknown_codes
-- unknown_code: lists codes of the data that are not in the key: there must be none
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

-- decoded
-- code: each row is a code of the data and the name it stands for
SELECT
  i.item AS item,
  p.name AS code,
  CAST(ROW_NUMBER() OVER (ORDER BY p.name) AS INT) AS number
FROM item AS i
JOIN key_pair AS p
  ON p.code = CAST(i.name AS TEXT);

-- renamed_long
-- release: each row is a row of the source with the code of its item
SELECT
  s."basket no" AS "basket no",
  c.code AS "sku",
  s."o'brien" AS "o'brien",
  c.number AS "number"
FROM source AS s
JOIN label AS l
  ON l.name = s."sku"
JOIN code AS c
  ON c.item = l.item
WHERE
  NOT s."basket no" IS NULL;

-- renamed_long-distinct
-- release: each row is a row of the source with the code of its item
SELECT DISTINCT
  s."basket no" AS "basket no",
  c.code AS "sku",
  s."o'brien" AS "o'brien",
  c.number AS "number"
FROM source AS s
JOIN label AS l
  ON l.name = s."sku"
JOIN code AS c
  ON c.item = l.item
WHERE
  NOT s."basket no" IS NULL;

-- renamed_listed
-- release: each row is a row of the source with the codes of its items
SELECT
  s."basket no" AS "basket no",
  COALESCE(k.codes, []) AS "sku",
  s."o'brien" AS "o'brien",
  s."line" AS "line"
FROM source AS s
LEFT JOIN (
  SELECT
    u.line AS line,
    ARRAY_AGG(c.code ORDER BY c.number) AS codes
  FROM (
    SELECT DISTINCT
      t."line" AS line,
      UNNEST(t."sku") AS name
    FROM source AS t
  ) AS u
  JOIN label AS l
    ON l.name = u.name
  JOIN code AS c
    ON c.item = l.item
  GROUP BY
    u.line
) AS k
  ON k.line = s."line"
WHERE
  NOT s."basket no" IS NULL AND NOT s."sku" IS NULL;
