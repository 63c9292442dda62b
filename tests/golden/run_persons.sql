-- persons
-- person: each row is a person: all transactions of a person count once
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY v.value) - 1 AS INT) AS person,
  v.value AS value
FROM (
  SELECT DISTINCT
    s."o'brien" AS value
  FROM source AS s
  WHERE
    NOT s."o'brien" IS NULL
) AS v;

-- named_owners
-- named_owner: each row is a transaction, the first and the last person that its rows name, and the number of rows that name one
SELECT
  s."basket no" AS key,
  MIN(p.person) AS person,
  MAX(p.person) AS other,
  COUNT(*) AS cells,
  COUNT(p.person) AS named
FROM source AS s
LEFT JOIN person AS p
  ON p.value = s."o'brien"
WHERE
  NOT s."basket no" IS NULL
GROUP BY
  s."basket no";

-- faults
-- owner_faults: counts transactions of two persons, and those with rows that name no person: no promise covers them
SELECT
  COUNT(CASE WHEN o.person <> o.other THEN 1 END) AS mixed,
  MIN(CASE WHEN o.person <> o.other THEN CAST(o.key AS TEXT) END) AS example,
  COUNT(CASE WHEN o.named > 0 AND o.named < o.cells THEN 1 END) AS stray,
  MIN(CASE WHEN o.named > 0 AND o.named < o.cells THEN CAST(o.key AS TEXT) END) AS stray_example,
  COUNT(CASE WHEN o.named = 0 THEN 1 END) AS missing
FROM named_owner AS o;

-- owners
-- owner: each row is a transaction and the number of its person
SELECT
  o.key AS key,
  o.person AS person
FROM named_owner AS o
CROSS JOIN (
  SELECT
    COUNT(*) AS persons
  FROM person AS p
) AS n
WHERE
  o.named > 0;

-- owners-guests
-- owner: each row is a transaction and the number of its person
SELECT
  o.key AS key,
  CAST(COALESCE(o.person, n.persons + ROW_NUMBER() OVER (PARTITION BY o.named ORDER BY o.key) - 1) AS INT) AS person
FROM named_owner AS o
CROSS JOIN (
  SELECT
    COUNT(*) AS persons
  FROM person AS p
) AS n;

-- owned
-- owned: each row is a row of the source whose transaction has a person
SELECT
  s."basket no" AS "basket no",
  s."sku" AS "sku",
  s."o'brien" AS "o'brien"
FROM source AS s
WHERE
  s."basket no" IS NULL
  OR EXISTS(
    SELECT
      1 AS one
    FROM owner AS o
    WHERE
      o.key = s."basket no"
  );

-- numbers
-- persons: counts the persons, and the most transactions of one person
SELECT
  COUNT(*) AS persons,
  COALESCE(MAX(t.n), 0) AS most
FROM (
  SELECT
    COUNT(*) AS n
  FROM basket AS b
  GROUP BY
    b.person
) AS t;

-- matched
-- check_owner: each row is a transaction of the release, and its person in the source
SELECT
  r.key AS key,
  o.person AS person
FROM (
  SELECT DISTINCT
    c.key AS key
  FROM cell AS c
  WHERE
    NOT c.key IS NULL
) AS r
LEFT JOIN owner AS o
  ON CAST(o.key AS TEXT) = CAST(r.key AS TEXT);

-- matches
-- check_owners: counts the persons, and transactions of the release without a person
SELECT
  CAST(COALESCE(SUM(CASE WHEN n.person IS NULL THEN n.held END), 0) AS BIGINT) AS missing,
  COUNT(n.person) AS persons,
  COALESCE(MAX(CASE WHEN NOT n.person IS NULL THEN n.held END), 0) AS most
FROM (
  SELECT
    o.person AS person,
    COUNT(*) AS held
  FROM check_owner AS o
  GROUP BY
    o.person
) AS n;

-- likely
-- likely_persons: counts the values of the other columns: a column of persons has several transactions per value, and one value per transaction
SELECT
  COUNT(*) AS transactions,
  COUNT(DISTINCT t.least_0) AS values_0,
  COUNT(DISTINCT t.least_1) AS values_1,
  COUNT(CASE WHEN t.least_0 <> t.most_0 THEN 1 END) AS mixed_0,
  COUNT(CASE WHEN t.least_1 <> t.most_1 THEN 1 END) AS mixed_1
FROM (
  SELECT
    MIN(CAST(s."sku" AS TEXT)) AS least_0,
    MAX(CAST(s."sku" AS TEXT)) AS most_0,
    MIN(CAST(s."o'brien" AS TEXT)) AS least_1,
    MAX(CAST(s."o'brien" AS TEXT)) AS most_1
  FROM source AS s
  WHERE
    NOT s."basket no" IS NULL
  GROUP BY
    s."basket no"
) AS t;
