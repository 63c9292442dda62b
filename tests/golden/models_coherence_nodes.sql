-- roles
(
  SELECT
    '0 ' || r.label AS label,
    r.private AS private
  FROM role AS r
  UNION
  SELECT
    CAST(c.level AS TEXT) || ' ' || CAST(c.name AS TEXT) AS label,
    0 AS private
  FROM (
    SELECT
      r."basket no" AS key,
      r."sku" AS name,
      r."level" AS level
    FROM release AS r
  ) AS c
  WHERE
    CAST(c.level AS TEXT) <> '0' AND NOT c.name IS NULL
);

-- cells
(
  SELECT
    c.key AS key,
    CAST(c.level AS TEXT) || ' ' || CAST(c.name AS TEXT) AS name
  FROM (
    SELECT
      r."basket no" AS key,
      r."sku" AS name,
      r."level" AS level
    FROM release AS r
  ) AS c
);

-- unlevelled
-- check_levels: counts nodes without a level, which the checker refuses
SELECT
  COUNT(*) AS unlevelled
FROM (
  SELECT
    r."basket no" AS key,
    r."sku" AS name,
    r."level" AS level
  FROM release AS r
) AS c
WHERE
  NOT c.name IS NULL AND c.level IS NULL;

-- unclear
-- check_unclear: counts nodes with the name of a private item: the column may be of no levels
SELECT
  COUNT(*) AS unclear,
  MIN(CAST(c.name AS TEXT)) AS name
FROM (
  SELECT
    r."basket no" AS key,
    r."sku" AS name,
    r."level" AS level
  FROM release AS r
) AS c
JOIN role AS r
  ON r.label = CAST(c.name AS TEXT)
WHERE
  r.private = 1 AND CAST(c.level AS TEXT) <> '0';
