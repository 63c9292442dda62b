-- affected
-- affected: counts the transactions to erase, by slice
SELECT
  t.slice AS slice,
  COUNT(DISTINCT r.key) AS held
FROM safe AS t
JOIN released AS r
  ON r.id = CAST(t."basket no" AS TEXT) AND r.slice = t.slice
JOIN erase_key AS g
  ON g.key = r.key
GROUP BY
  t.slice
ORDER BY
  slice;

-- known_keys
-- known_keys: counts the keys to erase that the ledger knows
SELECT
  COUNT(*) AS held,
  COUNT(
    CASE
      WHEN EXISTS(
        SELECT
          1 AS one
        FROM ledger_arrival AS l
        WHERE
          l.key = g.key
      )
      THEN 1
    END
  ) AS known
FROM erase_key AS g;

-- remaining
-- remaining: each row is a row of the slice whose transaction stays
SELECT
  t."basket no" AS "basket no",
  t."sku" AS "sku",
  t."level" AS "level"
FROM safe AS t
WHERE
  t.slice = 3
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM released AS r
    JOIN erase_key AS g
      ON g.key = r.key
    WHERE
      r.id = CAST(t."basket no" AS TEXT) AND r.slice = 3
  );

-- kept_counts
-- kept_counts: each row is a count of a group that loses no transaction
SELECT
  c."group" AS "group",
  c."sku" AS "sku"
FROM safe_sensitive AS c
WHERE
  c.slice = 3
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM safe AS t
    JOIN released AS r
      ON r.id = CAST(t."basket no" AS TEXT) AND r.slice = t.slice
    JOIN erase_key AS g
      ON g.key = r.key
    WHERE
      t.slice = 3 AND t."group" = c."group"
  );

-- whole_classes
-- kept_rows: each row is a row whose transaction has enough twins
WITH signed AS (
  SELECT
    r."basket no" AS key,
    COUNT(*) AS held,
    SUM(
      CAST(MD5_NUMBER_LOWER(CAST(r.level AS TEXT) || ':' || CAST(r."sku" AS TEXT)) AS DECIMAL(38, 0))
    ) AS digest
  FROM remaining AS r
  GROUP BY
    r."basket no"
), twin AS (
  SELECT
    s.held AS held,
    s.digest AS digest
  FROM signed AS s
  LEFT JOIN released AS o
    ON o.id = CAST(s.key AS TEXT)
  GROUP BY
    s.held,
    s.digest
  HAVING
    COUNT(DISTINCT COALESCE(o.person, CAST(s.key AS TEXT))) >= 5
)
SELECT
  t."basket no" AS "basket no",
  t."sku" AS "sku",
  t."level" AS "level"
FROM remaining AS t
JOIN signed AS s
  ON s.key = t."basket no"
JOIN twin AS w
  ON w.held = s.held AND w.digest = s.digest;

-- with_kept_nodes
-- kept_rows: each row is a row whose node stays
SELECT
  r."basket no" AS "basket no",
  r."sku" AS "sku",
  r."level" AS "level"
FROM remaining AS r
WHERE
  EXISTS(
    SELECT
      1 AS one
    FROM (
      SELECT
        r."basket no" AS key,
        r."sku" AS name
      FROM source AS r
    ) AS c
    WHERE
      c.key = r."basket no"
      AND c.name = CASE
        WHEN r.level = 0
        THEN CAST(r."sku" AS TEXT)
        ELSE CHR(31) || CAST(r.level AS TEXT) || CHR(31) || CAST(r."sku" AS TEXT)
      END
  );

-- kept_rows
-- kept_rows: each row is a row of the slice after transactions were erased
SELECT
  r."basket no" AS "basket no",
  r."sku" AS "sku",
  r."level" AS "level"
FROM release AS r;

-- no_rows
-- kept_rows: no row of the slice can stay
SELECT
  r."basket no" AS "basket no",
  r."sku" AS "sku",
  r."level" AS "level"
FROM remaining AS r
WHERE
  FALSE;

-- owners
-- erase_owner: each row is a transaction of the target and its person
SELECT
  r.id AS key,
  CAST(DENSE_RANK() OVER (ORDER BY r.person) - 1 AS INT) AS person
FROM released AS r
WHERE
  NOT r.id IS NULL;

-- longest
-- longest_left: counts the nodes of the longest transaction
SELECT
  MAX(t.held) AS longest
FROM (
  SELECT
    COUNT(*) AS held
  FROM remaining AS r
  GROUP BY
    r."basket no"
) AS t;

-- of_whole_but
-- whole_target: each row is a row of the target after the erasure
SELECT
  t."basket no" AS "basket no",
  t."sku" AS "sku",
  t."level" AS "level"
FROM safe AS t
WHERE
  t.slice <> 3
UNION ALL
SELECT
  r."basket no" AS "basket no",
  r."sku" AS "sku",
  r."level" AS "level"
FROM kept_rows AS r;
