-- faults: every item has one place in the hierarchy
SELECT
  r.fault AS fault,
  r.name AS name,
  r.first AS first,
  r.last AS last,
  r.found AS found
FROM (
  SELECT
    f.fault AS fault,
    f.name AS name,
    f.first AS first,
    f.last AS last,
    COUNT(*) OVER (PARTITION BY f.fault) AS found,
    ROW_NUMBER() OVER (PARTITION BY f.fault ORDER BY f.name, f.first) AS place
  FROM (
    SELECT
      'nameless' AS fault,
      g.name AS name,
      '' || COALESCE(g.level1, '') || COALESCE(' > ' || g.level2, '') AS first,
      '' || COALESCE(g.level1, '') || COALESCE(' > ' || g.level2, '') AS last
    FROM given_hierarchy AS g
    WHERE
      g.name IS NULL
    UNION ALL
    SELECT
      'twice' AS fault,
      g.name AS name,
      MIN('' || COALESCE(g.level1, '') || COALESCE(' > ' || g.level2, '')) AS first,
      MAX('' || COALESCE(g.level1, '') || COALESCE(' > ' || g.level2, '')) AS last
    FROM given_hierarchy AS g
    WHERE
      NOT g.name IS NULL
    GROUP BY
      g.name
    HAVING
      COUNT(*) > 1
    UNION ALL
    SELECT
      'orphan' AS fault,
      g.name AS name,
      '' || COALESCE(g.level1, '') || COALESCE(' > ' || g.level2, '') AS first,
      '' || COALESCE(g.level1, '') || COALESCE(' > ' || g.level2, '') AS last
    FROM given_hierarchy AS g
    WHERE
      NOT g.name IS NULL AND COALESCE(g.level1, g.level2) IS NULL
    UNION ALL
    SELECT
      'lacking' AS fault,
      CAST(i.name AS TEXT) AS name,
      '' AS first,
      '' AS last
    FROM item AS i
    WHERE
      NOT EXISTS(
        SELECT
          1 AS one
        FROM given_hierarchy AS g
        WHERE
          g.name = CAST(i.name AS TEXT)
      )
  ) AS f
) AS r
WHERE
  r.place <= 5
ORDER BY
  fault,
  place;
