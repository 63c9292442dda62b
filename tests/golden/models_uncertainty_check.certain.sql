-- check_certain: secrets that never lack where the rest is held
SELECT
  COUNT(*) AS unsafe
FROM check_cover AS c
WHERE
  c.covers = 0 AND c.repeats = 0 AND c.known <= 5 AND 7 < 10;
