-- owners
-- check_owner: each row is a transaction of the release, and its person in the source
SELECT
  r.key AS key,
  o.person AS person
FROM (
  SELECT DISTINCT
    c.key AS key
  FROM release_cell AS c
  WHERE
    NOT c.key IS NULL
) AS r
LEFT JOIN owner AS o
  ON CAST(o.key AS TEXT) = CAST(r.key AS TEXT);

-- sizes
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
