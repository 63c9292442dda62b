-- empty
-- part: a relation of the ledger
SELECT
  CAST(NULL AS TEXT) AS key,
  CAST(NULL AS INT) AS attempt,
  CAST(NULL AS TEXT) AS id,
  CAST(NULL AS TEXT) AS digest,
  CAST(NULL AS TEXT) AS person
WHERE
  FALSE;

-- empty-sum
-- sum: a relation of the ledger
SELECT
  CAST(NULL AS INT) AS number,
  CAST(NULL AS TEXT) AS digest
WHERE
  FALSE;

-- copied
-- ledger_part: a copy of a relation of the ledger
SELECT
  l.key AS key,
  l.attempt AS attempt,
  l.id AS id,
  l.digest AS digest,
  l.person AS person
FROM ledger.main.part AS l;

-- copied-role
-- ledger_role: a copy of a relation of the ledger
SELECT
  l.name AS name,
  l.role AS role,
  l.attempt AS attempt
FROM ledger.main.part AS l
WHERE
  EXISTS(
    SELECT
      1 AS one
    FROM attempts AS a
    WHERE
      a.attempt = l.attempt AND a.event = 'done'
  );

-- typed
-- attempt: rows for the ledger
SELECT
  CAST(g.attempt AS INT) AS attempt,
  CAST(g.event AS TEXT) AS event,
  CAST(g.slice AS INT) AS slice,
  CAST(g.held AS BIGINT) AS held,
  CAST(g.digest AS TEXT) AS digest,
  CAST(g.largest AS BIGINT) AS largest,
  CAST(g.since AS TEXT) AS since,
  CAST(g.versions AS TEXT) AS versions,
  CAST(g.source AS TEXT) AS source
FROM given AS g;

-- copied-written
-- ledger_part: a copy of a relation of the ledger
SELECT
  l.key AS key,
  l.attempt AS attempt,
  l.id AS id,
  l.digest AS digest,
  l.person AS person
FROM (
  SELECT
    w.key AS key,
    w.attempt AS attempt,
    w.id AS id,
    w.digest AS digest,
    w.person AS person
  FROM ledger.main.part AS w
  WHERE
    w.written = '0f'
    OR EXISTS(
      SELECT
        1 AS one
      FROM sums AS s
      WHERE
        s.written = w.written
    )
) AS l;

-- named_write
SELECT
  n.key AS key,
  n.attempt AS attempt,
  n.id AS id,
  n.digest AS digest,
  n.person AS person,
  '0f' AS written
FROM given AS n;

-- sum_row
-- sum: the digest of the ledger
SELECT
  3 AS number,
  '0f' AS digest;

-- last_sum
-- ledger_sum: the digest of the ledger when it was written
SELECT
  s.number AS number,
  s.digest AS digest
FROM sums AS s
ORDER BY
  number DESC
LIMIT 1;

-- told
-- ledger_told: the promise of the target
SELECT
  t.name AS name,
  t.value AS value
FROM told AS t;

-- attempts
-- ledger_attempts: the slices of the target
SELECT
  a.attempt AS attempt,
  a.event AS event,
  a.slice AS slice,
  a.held AS held,
  a.digest AS digest,
  a.largest AS largest,
  a.since AS since,
  a.versions AS versions,
  a.source AS source
FROM ledger_attempt AS a;

-- sources
-- ledger_sources: the sources of a target
SELECT DISTINCT
  a.source AS source
FROM ledger.main.part AS a
ORDER BY
  source;

-- nights
-- ledger_nights: counts the runs
SELECT
  COUNT(*) AS nights
FROM ledger_night AS n;

-- released
-- released: each row is a transaction that a slice of the target has
SELECT
  p.key AS key,
  a.slice AS slice,
  p.id AS id,
  p.digest AS digest,
  p.person AS person,
  CASE WHEN e.key IS NULL THEN 0 ELSE 1 END AS erased
FROM ledger_part AS p
JOIN ledger_attempt AS a
  ON a.attempt = p.attempt AND a.event = 'done'
LEFT JOIN (
  SELECT DISTINCT
    l.key AS key
  FROM ledger_erased AS l
  JOIN ledger_attempt AS d
    ON d.attempt = l.attempt AND d.event = 'done'
) AS e
  ON e.key = p.key;

-- key_of_slices
-- number_key: each row is a transaction id and its number, from the ledger
SELECT
  r.key AS id,
  r.id AS number
FROM released AS r
WHERE
  r.erased = 0 AND NOT r.id IS NULL;

-- own_secret
-- ledger_secret: the secret of the digests
SELECT
  t.value AS secret
FROM ledger_told AS t
WHERE
  t.name = 'secret';

-- of_slice
-- slice_key: each row is a transaction of the slice, from the ledger
SELECT
  p.key AS key
FROM ledger.main.part AS p
WHERE
  p.attempt = 4;

-- arrivals
-- arrival: each row is a transaction that the source did not have before
SELECT
  a.key AS key,
  7 AS night,
  '2026-11-19' AS since
FROM arrived AS a
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM ledger_arrival AS l
    WHERE
      l.key = a.key
  );

-- parts
-- part: each row is a transaction of the slice and its id in the target
SELECT
  k.key AS key,
  4 AS attempt,
  k.key AS id,
  k.digest AS digest,
  k.person AS person
FROM slice_key AS k;

-- parts-renumbered
-- part: each row is a transaction of the slice and its id in the target
SELECT
  k.key AS key,
  4 AS attempt,
  CAST(n.number AS TEXT) AS id,
  k.digest AS digest,
  k.person AS person
FROM slice_key AS k
LEFT JOIN renumbered AS n
  ON CAST(n.id AS TEXT) = k.key;

-- with_role
-- role: each row is an item and its role
SELECT
  CAST(l.name AS TEXT) AS name,
  'private' AS role,
  4 AS attempt
FROM label AS l
JOIN private_item AS r
  ON r.item = l.item
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM ledger_role AS o
    WHERE
      o.name = CAST(l.name AS TEXT) AND o.role = 'private'
  );

-- plain_items
-- role: each row is an item that a slice has
SELECT
  CAST(l.name AS TEXT) AS name,
  'known' AS role,
  4 AS attempt
FROM label AS l
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM ledger_role AS o
    WHERE
      o.name = CAST(l.name AS TEXT) AND o.role = 'known'
  );

-- erased_everywhere
-- erased: each row is a transaction that no slice may have
SELECT
  g.key AS key,
  0 AS attempt,
  '2026-11-19' AS since
FROM erase_key AS g;

-- erased
-- erased: each row is a transaction that is taken out of a slice
SELECT
  r.key AS key,
  4 AS attempt,
  '2026-11-19' AS since
FROM released AS r
JOIN erase_key AS g
  ON g.key = r.key
WHERE
  r.slice = 3;

-- changed_roles
-- changed_roles: items whose role differs from that of earlier slices
SELECT
  g.name AS name
FROM listed_private AS g
WHERE
  EXISTS(
    SELECT
      1 AS one
    FROM ledger_role AS k
    WHERE
      k.name = g.name AND k.role = 'known'
  )
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM ledger_role AS o
    WHERE
      o.name = g.name AND o.role = 'private'
  )
UNION ALL
SELECT
  o.name AS name
FROM ledger_role AS o
WHERE
  o.role = 'private'
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM listed_private AS g
    WHERE
      g.name = o.name
  );
