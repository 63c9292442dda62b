-- occurrences
-- check_before: each row is a transaction and an item it holds
SELECT DISTINCT
  o.place AS place,
  o.name AS name
FROM (
  SELECT
    r."line" AS place,
    r."sku" AS name
  FROM source AS r
  WHERE
    NOT r."basket no" IS NULL
) AS o
WHERE
  NOT o.name IS NULL;

-- occurrences-lists
-- check_before: each row is a transaction and an item it holds
SELECT DISTINCT
  o.place AS place,
  o.name AS name
FROM (
  SELECT
    r."line" AS place,
    UNNEST(r."sku") AS name
  FROM source AS r
  WHERE
    NOT r."basket no" IS NULL
) AS o
WHERE
  NOT o.name IS NULL;

-- one_to_one
-- check_pairs: counts pairs, codes and names: a renaming is one to one
SELECT
  COUNT(*) AS pairs,
  COUNT(DISTINCT p.code) AS codes,
  COUNT(DISTINCT p.name) AS names
FROM pairs AS p;

-- differences
-- check_occurrences: counts occurrences that are missing or added after renaming: there must be none
SELECT
  (
    SELECT
      COUNT(*)
    FROM check_before
  ) AS occurrences,
  (
    SELECT
      COUNT(*)
    FROM check_before AS b
    WHERE
      NOT EXISTS(
        SELECT
          1 AS one
        FROM pairs AS p
        JOIN check_after AS a
          ON a.name = p.code
        WHERE
          p.name = b.name AND a.place = b.place
      )
  ) AS lost,
  (
    SELECT
      COUNT(*)
    FROM check_after AS a
    WHERE
      NOT EXISTS(
        SELECT
          1 AS one
        FROM pairs AS p
        JOIN check_before AS b
          ON b.name = p.name
        WHERE
          p.code = a.name AND b.place = a.place
      )
  ) AS added;

-- changed_lists
-- check_rows: counts rows that changed in anything but the names: there must be none
SELECT
  COUNT(*) AS changed
FROM (
  (
    SELECT
      r."basket no" AS c0,
      r."o'brien" AS c1
    FROM source AS r
    WHERE
      NOT r."basket no" IS NULL AND NOT r."sku" IS NULL
    EXCEPT ALL
    SELECT
      r."basket no" AS c0,
      r."o'brien" AS c1
    FROM release AS r
  )
  UNION ALL
  (
    SELECT
      r."basket no" AS c0,
      r."o'brien" AS c1
    FROM release AS r
    EXCEPT ALL
    SELECT
      r."basket no" AS c0,
      r."o'brien" AS c1
    FROM source AS r
    WHERE
      NOT r."basket no" IS NULL AND NOT r."sku" IS NULL
  )
) AS d;

-- changed_rows
-- check_rows: counts rows that changed in anything but the names: there must be none
SELECT
  COUNT(*) AS changed
FROM (
  (
    SELECT
      r."basket no" AS c0,
      p.code AS c1,
      r."o'brien" AS c2
    FROM source AS r
    JOIN pairs AS p
      ON p.name = r."sku"
    WHERE
      NOT r."basket no" IS NULL
    EXCEPT ALL
    SELECT
      r."basket no" AS c0,
      r."sku" AS c1,
      r."o'brien" AS c2
    FROM release AS r
  )
  UNION ALL
  (
    SELECT
      r."basket no" AS c0,
      r."sku" AS c1,
      r."o'brien" AS c2
    FROM release AS r
    EXCEPT ALL
    SELECT
      r."basket no" AS c0,
      p.code AS c1,
      r."o'brien" AS c2
    FROM source AS r
    JOIN pairs AS p
      ON p.name = r."sku"
    WHERE
      NOT r."basket no" IS NULL
  )
) AS d;
