SELECT
  LIST_TRANSFORM(
    LIST_ZIP("level", "it'em"),
    LAMBDA x : CAST(x[1] AS TEXT) || ' ' || CAST(x[2] AS TEXT)
  ) AS "it'em"
FROM run.main.source
ORDER BY
  "line";
