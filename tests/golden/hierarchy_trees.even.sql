-- given_hierarchy: an even tree of fan-out 5 over the items in their order
SELECT
  CAST(e.name AS TEXT) AS name,
  '[' || CASE
    WHEN MIN(e.item) OVER (PARTITION BY e.at1) + 1 < 10
    THEN '00'
    WHEN MIN(e.item) OVER (PARTITION BY e.at1) + 1 < 100
    THEN '0'
    ELSE ''
  END || CAST(MIN(e.item) OVER (PARTITION BY e.at1) + 1 AS TEXT) || '..' || CASE
    WHEN MAX(e.item) OVER (PARTITION BY e.at1) + 1 < 10
    THEN '00'
    WHEN MAX(e.item) OVER (PARTITION BY e.at1) + 1 < 100
    THEN '0'
    ELSE ''
  END || CAST(MAX(e.item) OVER (PARTITION BY e.at1) + 1 AS TEXT) || ']' AS level1,
  '[' || CASE
    WHEN MIN(e.item) OVER (PARTITION BY e.at2) + 1 < 10
    THEN '00'
    WHEN MIN(e.item) OVER (PARTITION BY e.at2) + 1 < 100
    THEN '0'
    ELSE ''
  END || CAST(MIN(e.item) OVER (PARTITION BY e.at2) + 1 AS TEXT) || '..' || CASE
    WHEN MAX(e.item) OVER (PARTITION BY e.at2) + 1 < 10
    THEN '00'
    WHEN MAX(e.item) OVER (PARTITION BY e.at2) + 1 < 100
    THEN '0'
    ELSE ''
  END || CAST(MAX(e.item) OVER (PARTITION BY e.at2) + 1 AS TEXT) || ']' AS level2
FROM (
  SELECT
    e.item AS item,
    e.name AS name,
    e.at0 AS at0,
    e.at1 AS at1,
    CAST((
      e.at1 * 5 - e.at1 * 5 % 24
    ) / 24 AS BIGINT) AS at2
  FROM (
    SELECT
      e.item AS item,
      e.name AS name,
      e.at0 AS at0,
      CAST((
        e.at0 * 24 - e.at0 * 24 % 120
      ) / 120 AS BIGINT) AS at1
    FROM (
      SELECT
        i.item AS item,
        i.name AS name,
        CAST(i.item AS BIGINT) AS at0
      FROM item AS i
    ) AS e
  ) AS e
) AS e;
