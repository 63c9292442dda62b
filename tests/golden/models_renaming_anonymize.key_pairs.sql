-- key_pair: the key, as it was written
SELECT
  CAST(f.code AS TEXT) AS code,
  f.name AS name
FROM file AS f;
