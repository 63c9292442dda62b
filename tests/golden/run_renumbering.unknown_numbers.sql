-- unknown_number: every number of the release must be in the key
SELECT
  COUNT(*) AS missing
FROM source AS s
WHERE
  NOT s."basket no" IS NULL
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM number_key AS k
    WHERE
      k.number = CAST(s."basket no" AS TEXT)
  );
