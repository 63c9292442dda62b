-- check_tellings: what is too large is refused before it is made
SELECT
  CAST(COALESCE(SUM(s.size - 1), 0) AS BIGINT) AS n
FROM check_secret AS s;
