-- largest
-- largest_number: reads the largest number that replaces an id
SELECT
  COALESCE(MAX(n.number), 0) AS largest
FROM renumbered AS n;

-- largest_group
-- largest_group: reads the largest number of a group
SELECT
  COALESCE(MAX(r."group"), 0) AS largest
FROM release AS r;

-- left
-- left: counts the occurrences that are left
SELECT
  COUNT(c.name) AS held
FROM (
  SELECT
    r."basket no" AS key,
    r."sku" AS name
  FROM source AS r
) AS c;

-- held
-- target_slices: counts the rows of each slice, with their digest
SELECT
  r.slice AS slice,
  COUNT(*) AS held,
  CAST(SUM(
    CAST(MD5_NUMBER_LOWER(
      '' || COALESCE(MD5(CAST(r."basket no" AS TEXT)), '-') || COALESCE(MD5(CAST(r."sku" AS TEXT)), '-')
    ) AS DECIMAL(38, 0))
  ) AS TEXT) AS digest
FROM safe AS r
GROUP BY
  r.slice;

-- whole-first
-- whole_target: each row is a row of the target or of the new slice
SELECT
  CAST(r."basket no" AS TEXT) AS "basket no",
  r."sku" AS "sku"
FROM (
  SELECT
    r."basket no" AS "basket no",
    r.sku AS sku
  FROM release AS r
) AS r;

-- whole
-- whole_target: each row is a row of the target or of the new slice
SELECT
  CAST(r."basket no" AS TEXT) AS "basket no",
  r."sku" AS "sku"
FROM safe AS r
UNION ALL
SELECT
  CAST(r."basket no" AS TEXT) AS "basket no",
  r."sku" AS "sku"
FROM (
  SELECT
    r."basket no" AS "basket no",
    r.sku AS sku
  FROM release AS r
) AS r;

-- owners
-- slice_owner: each row is a transaction of the target and its person
SELECT
  t.key AS key,
  CAST(DENSE_RANK() OVER (ORDER BY t.person) - 1 AS INT) AS person
FROM (
  SELECT
    r.id AS key,
    r.person AS person
  FROM released AS r
  WHERE
    NOT r.id IS NULL AND r.erased = 0
  UNION ALL
  SELECT
    k.key AS key,
    k.person AS person
  FROM slice_key AS k
) AS t;

-- owners-renumbered
-- slice_owner: each row is a transaction of the target and its person
SELECT
  t.key AS key,
  CAST(DENSE_RANK() OVER (ORDER BY t.person) - 1 AS INT) AS person
FROM (
  SELECT
    r.id AS key,
    r.person AS person
  FROM released AS r
  WHERE
    NOT r.id IS NULL AND r.erased = 0
  UNION ALL
  SELECT
    CAST(n.number AS TEXT) AS key,
    k.person AS person
  FROM slice_key AS k
  JOIN renumbered AS n
    ON CAST(n.id AS TEXT) = k.key
) AS t;
