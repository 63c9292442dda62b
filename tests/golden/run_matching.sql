-- strangers
-- strangers: counts occurrences of the release that its transaction in the source lacks: there must be none
SELECT
  COUNT(*) AS compared,
  COUNT(*) - COUNT(o.name) AS strange
FROM (
  SELECT DISTINCT
    CAST(c.key AS TEXT) AS key,
    CAST(c.name AS TEXT) AS name
  FROM basket AS b
  JOIN cell AS c
    ON c.key = b.key
  WHERE
    b.tid % 7 = 0
) AS r
JOIN (
  SELECT DISTINCT
    CAST(k.name AS TEXT) AS name
  FROM original AS k
) AS n
  ON n.name = r.name
LEFT JOIN (
  SELECT DISTINCT
    CAST(w.key AS TEXT) AS key,
    CAST(w.name AS TEXT) AS name
  FROM original AS w
  WHERE
    CAST(w.key AS TEXT) IN (
      SELECT
        CAST(b.key AS TEXT)
      FROM basket AS b
      WHERE
        b.tid % 7 = 0
    )
) AS o
  ON o.key = r.key AND o.name = r.name;

-- strangers-levels
-- strangers: counts occurrences of the release that its transaction in the source lacks: there must be none
SELECT
  COUNT(*) AS compared,
  COUNT(*) - COUNT(o.name) AS strange
FROM (
  SELECT DISTINCT
    CAST(c.key AS TEXT) AS key,
    CAST(c.name AS TEXT) AS name
  FROM basket AS b
  JOIN cell AS c
    ON c.key = b.key
  WHERE
    b.tid % 7 = 0 AND c.level = 0
) AS r
JOIN (
  SELECT DISTINCT
    CAST(k.name AS TEXT) AS name
  FROM original AS k
) AS n
  ON n.name = r.name
LEFT JOIN (
  SELECT DISTINCT
    CAST(w.key AS TEXT) AS key,
    CAST(w.name AS TEXT) AS name
  FROM original AS w
  WHERE
    CAST(w.key AS TEXT) IN (
      SELECT
        CAST(b.key AS TEXT)
      FROM basket AS b
      WHERE
        b.tid % 7 = 0
    )
) AS o
  ON o.key = r.key AND o.name = r.name;
