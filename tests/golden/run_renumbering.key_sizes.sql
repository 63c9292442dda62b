-- number_key_size: in a key every id and every number is there once
SELECT
  COUNT(*) AS pairs,
  COUNT(DISTINCT k.id) AS ids,
  COUNT(DISTINCT k.number) AS numbers
FROM number_key AS k;
