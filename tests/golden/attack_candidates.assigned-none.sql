-- assigned: the names that the solver found
SELECT
  v.mined AS mined,
  v.known AS known,
  v.parts AS parts
FROM (
  SELECT
    CAST(0 AS INT) AS mined,
    CAST(0 AS INT) AS known,
    CAST(0 AS INT) AS parts
  WHERE
    FALSE
) AS v;
