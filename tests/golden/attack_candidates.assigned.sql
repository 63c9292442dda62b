-- assigned: the names that the solver found
SELECT
  v.mined AS mined,
  v.known AS known,
  v.parts AS parts
FROM (
  SELECT
    CAST(v.mined AS INT) AS mined,
    CAST(v.known AS INT) AS known,
    CAST(v.parts AS INT) AS parts
  FROM (VALUES
    (3, 1, 500000),
    (4, 0, 1000000)) AS v(mined, known, parts)
) AS v;
