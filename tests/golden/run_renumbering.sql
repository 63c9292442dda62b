-- entropy
-- entropy: random and secret: with it, numbers lead back to ids
SELECT
  'a secret' AS secret;

-- numbers
-- renumbered: numbers whose order follows neither the ids nor the data
SELECT
  h.id AS id,
  CAST(ROW_NUMBER() OVER (ORDER BY h.hash, h.place) AS INT) AS number
FROM (
  SELECT
    p.id AS id,
    p.place AS place,
    MD5(e.secret || ':' || MD5(e.secret || ':' || CAST(p.place AS TEXT))) AS hash
  FROM (
    SELECT
      d.id AS id,
      ROW_NUMBER() OVER (ORDER BY d.id) AS place
    FROM (
      SELECT DISTINCT
        r."basket no" AS id
      FROM release AS r
    ) AS d
  ) AS p
  CROSS JOIN entropy AS e
) AS h
ORDER BY
  number;

-- renumbered
SELECT
  n.number AS "basket no",
  r."sku" AS "sku",
  r."o'brien" AS "o'brien"
FROM release AS r
JOIN renumbered AS n
  ON n.id = r."basket no"
ORDER BY
  n.number,
  r."number",
  r."o'brien";

-- key_rows
SELECT
  n.id AS id,
  n.number AS number
FROM renumbered AS n;

-- key_read
-- number_key: the key, as it was written
SELECT
  f.id AS id,
  CAST(f.number AS TEXT) AS number
FROM file AS f;

-- key_sizes
-- number_key_size: in a key every id and every number is there once
SELECT
  COUNT(*) AS pairs,
  COUNT(DISTINCT k.id) AS ids,
  COUNT(DISTINCT k.number) AS numbers
FROM number_key AS k;

-- unknown_numbers
-- unknown_number: every number of the release must be in the key
SELECT
  COUNT(*) AS missing
FROM source AS s
WHERE
  NOT s."basket no" IS NULL
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM number_key AS k
    WHERE
      k.number = CAST(s."basket no" AS TEXT)
  );

-- put_back
-- put_back: transactions by the ids that they had
SELECT
  k.id AS "basket no",
  s."sku" AS "sku",
  s."o'brien" AS "o'brien"
FROM source AS s
LEFT JOIN number_key AS k
  ON k.number = CAST(s."basket no" AS TEXT);
