-- arrived
-- arrived: each row is a transaction of the source, with a keyed digest of its items
SELECT
  CAST(r.key AS TEXT) AS key,
  CAST(r.digest AS TEXT) AS digest,
  CAST(NULL AS TEXT) AS person
FROM (
  SELECT
    c.key AS key,
    SUM(
      CASE
        WHEN c.name IS NULL
        THEN 0
        ELSE CAST(MD5_NUMBER_LOWER(x.secret || MD5(CAST(c.key AS TEXT)) || MD5(CAST(c.name AS TEXT))) AS DECIMAL(38, 0))
      END
    ) AS digest
  FROM (
    SELECT DISTINCT
      d.key AS key,
      d.name AS name
    FROM (
      SELECT
        r."basket no" AS key,
        r."sku" AS name
      FROM source AS r
    ) AS d
  ) AS c
  CROSS JOIN ledger_secret AS x
  WHERE
    NOT c.key IS NULL
  GROUP BY
    c.key
) AS r
CROSS JOIN ledger_secret AS x;

-- arrived-persons
-- arrived: each row is a transaction of the source, with a keyed digest of its items
SELECT
  CAST(r.key AS TEXT) AS key,
  CAST(r.digest AS TEXT) AS digest,
  MD5(x.secret || MD5(x.secret || CAST(o.person AS TEXT))) AS person
FROM (
  SELECT
    c.key AS key,
    SUM(
      CASE
        WHEN c.name IS NULL
        THEN 0
        ELSE CAST(MD5_NUMBER_LOWER(x.secret || MD5(CAST(c.key AS TEXT)) || MD5(CAST(c.name AS TEXT))) AS DECIMAL(38, 0))
      END
    ) AS digest
  FROM (
    SELECT DISTINCT
      d.key AS key,
      d.name AS name
    FROM (
      SELECT
        r."basket no" AS key,
        r."sku" AS name
      FROM source AS r
    ) AS d
  ) AS c
  CROSS JOIN ledger_secret AS x
  WHERE
    NOT c.key IS NULL
  GROUP BY
    c.key
) AS r
CROSS JOIN ledger_secret AS x
JOIN (
  SELECT
    s."basket no" AS key,
    MIN(s."o'brien") AS person
  FROM source AS s
  GROUP BY
    s."basket no"
) AS o
  ON o.key = r.key
WHERE
  NOT o.person IS NULL;

-- arrived-guests
-- arrived: each row is a transaction of the source, with a keyed digest of its items
SELECT
  CAST(r.key AS TEXT) AS key,
  CAST(r.digest AS TEXT) AS digest,
  COALESCE(
    MD5(x.secret || MD5(x.secret || CAST(o.person AS TEXT))),
    MD5(x.secret || MD5(x.secret || x.secret || CAST(r.key AS TEXT)))
  ) AS person
FROM (
  SELECT
    c.key AS key,
    SUM(
      CASE
        WHEN c.name IS NULL
        THEN 0
        ELSE CAST(MD5_NUMBER_LOWER(x.secret || MD5(CAST(c.key AS TEXT)) || MD5(CAST(c.name AS TEXT))) AS DECIMAL(38, 0))
      END
    ) AS digest
  FROM (
    SELECT DISTINCT
      d.key AS key,
      d.name AS name
    FROM (
      SELECT
        r."basket no" AS key,
        r."sku" AS name
      FROM source AS r
    ) AS d
  ) AS c
  CROSS JOIN ledger_secret AS x
  WHERE
    NOT c.key IS NULL
  GROUP BY
    c.key
) AS r
CROSS JOIN ledger_secret AS x
JOIN (
  SELECT
    s."basket no" AS key,
    MIN(s."o'brien") AS person
  FROM source AS s
  GROUP BY
    s."basket no"
) AS o
  ON o.key = r.key;

-- changes
-- slice_changes: counts new transactions, and released ones that have changed or vanished since
SELECT
  (
    SELECT
      COUNT(*) AS n
    FROM arrived AS a
    WHERE
      NOT EXISTS(
        SELECT
          1 AS one
        FROM ledger_arrival AS l
        WHERE
          l.key = a.key
      )
  ) AS fresh,
  (
    SELECT
      COUNT(*) AS n
    FROM released AS r
    JOIN arrived AS a
      ON a.key = r.key
    WHERE
      r.digest <> a.digest
  ) AS late,
  (
    SELECT
      COUNT(*) AS n
    FROM released AS r
    WHERE
      NOT EXISTS(
        SELECT
          1 AS one
        FROM arrived AS a
        WHERE
          a.key = r.key
      )
  ) AS lost;

-- waiting
-- waiting: each row is a transaction that no slice has
SELECT
  a.key AS key,
  a.digest AS digest,
  a.person AS person
FROM arrived AS a
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM released AS r
    WHERE
      r.key = a.key
  )
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM ledger_erased AS e
    WHERE
      e.key = a.key
  );

-- unlisted
-- unlisted: each row is a transaction with an item that no list knows
SELECT DISTINCT
  w.key AS key
FROM waiting AS w
JOIN (
  SELECT
    r."basket no" AS key,
    r."sku" AS name
  FROM source AS r
) AS c
  ON CAST(c.key AS TEXT) = w.key
WHERE
  NOT c.name IS NULL
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM listed_private AS l
    WHERE
      l.name = CAST(c.name AS TEXT)
  )
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM listed_public AS l
    WHERE
      l.name = CAST(c.name AS TEXT)
  )
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM ledger_role AS r
    WHERE
      r.name = CAST(c.name AS TEXT)
  );

-- unlisted_number
-- unlisted_number: counts transactions with an item that no list knows
SELECT
  COUNT(*) AS held
FROM unlisted AS u;

-- chosen
-- slice_key: each row is a transaction of the new slice
SELECT
  w.key AS key,
  w.digest AS digest,
  w.person AS person
FROM waiting AS w;

-- chosen-listed
-- slice_key: each row is a transaction of the new slice
SELECT
  w.key AS key,
  w.digest AS digest,
  w.person AS person
FROM waiting AS w
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM unlisted AS u
    WHERE
      u.key = w.key
  );

-- ages
-- slice_ages: counts the waiting transactions, with the first day of any
SELECT
  COUNT(*) AS held,
  MIN(l.night) AS night,
  MIN(l.since) AS since
FROM slice_key AS k
LEFT JOIN ledger_arrival AS l
  ON l.key = k.key;

-- restricted
-- sliced: each row is a row of the source whose transaction is in the slice
SELECT
  s."basket no" AS "basket no",
  s."sku" AS "sku"
FROM source AS s
WHERE
  s."basket no" IS NULL
  OR EXISTS(
    SELECT
      1 AS one
    FROM slice_key AS k
    WHERE
      k.key = CAST(s."basket no" AS TEXT)
  );
