SELECT
  CAST("level" AS TEXT) || ' ' || CAST("it'em" AS TEXT) AS "it'em",
  "tid"
FROM run.main.source;
