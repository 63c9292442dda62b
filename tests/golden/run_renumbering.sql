-- entropy
-- entropy: holds the random secret; with it, numbers could be traced to ids
SELECT
  'a secret' AS secret;

-- numbers
-- renumbered: each row is a transaction id and its new number, in an order that a secret decides
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

-- groups
-- regrouped: each row is a group and its new number, in the order of new ids
SELECT
  f.id AS id,
  CAST(ROW_NUMBER() OVER (ORDER BY f.first) AS INT) AS number
FROM (
  SELECT
    r."group" AS id,
    MIN(n.number) AS first
  FROM release AS r
  JOIN renumbered AS n
    ON n.id = r."basket no"
  GROUP BY
    r."group"
) AS f;

-- groups-above
-- regrouped: each row is a group and its new number, in the order of new ids
SELECT
  f.id AS id,
  CAST(12 + ROW_NUMBER() OVER (ORDER BY f.first) AS INT) AS number
FROM (
  SELECT
    r."group" AS id,
    MIN(n.number) AS first
  FROM release AS r
  JOIN renumbered AS n
    ON n.id = r."basket no"
  GROUP BY
    r."group"
) AS f;

-- above_others
SELECT
  r."basket no" AS "basket no",
  r."sku" AS "sku",
  CAST(12 + r."o'brien" AS INT) AS "o'brien"
FROM release AS r
ORDER BY
  r."basket no",
  r."number",
  r."o'brien";

-- key_rows
SELECT
  n.id AS id,
  n.number AS number
FROM renumbered AS n;

-- key_read
-- number_key: each row is a transaction id and its number, from the key file
SELECT
  f.id AS id,
  CAST(f.number AS TEXT) AS number
FROM file AS f;

-- key_sizes
-- number_key_size: counts rows, ids and numbers of the key: each id and each number must be there once
SELECT
  COUNT(*) AS pairs,
  COUNT(DISTINCT k.id) AS ids,
  COUNT(DISTINCT k.number) AS numbers
FROM number_key AS k;

-- unknown_numbers
-- unknown_number: counts rows whose number is not in the key: there must be none
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
-- put_back: each row is a row of the source, with its transaction's original id
SELECT
  k.id AS "basket no",
  s."sku" AS "sku",
  s."o'brien" AS "o'brien"
FROM source AS s
LEFT JOIN number_key AS k
  ON k.number = CAST(s."basket no" AS TEXT);
