-- codes
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

-- key_pairs
-- key_pair: the key, as it was written
SELECT
  CAST(f.code AS TEXT) AS code,
  f.name AS name
FROM file AS f;

-- key_sizes
-- key_size: in a key every code and every name is there once
SELECT
  COUNT(*) AS pairs,
  COUNT(DISTINCT p.code) AS codes,
  COUNT(DISTINCT p.name) AS names
FROM key_pair AS p;

-- unknown_codes
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

-- decoded
-- code: the names that the codes stand for
SELECT
  i.item AS item,
  p.name AS code,
  CAST(ROW_NUMBER() OVER (ORDER BY p.name) AS INT) AS number
FROM item AS i
JOIN key_pair AS p
  ON p.code = CAST(i.name AS TEXT);

-- renamed_long
-- release: the rows of the source, each item by its code
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
-- release: the rows of the source, each item by its code
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
-- release: the lists of the source, each item by its code
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
