-- number_key: the key, as it was written
SELECT
  f.id AS id,
  CAST(f.number AS TEXT) AS number
FROM file AS f;
