-- meetings: decides in how many turns transactions meet
SELECT
  CAST(COALESCE(SUM(e.support), 0) AS BIGINT) AS meetings,
  CAST(COALESCE(SUM(CASE WHEN e.place >= 62 THEN e.support END), 0) AS BIGINT) AS uncommon
FROM early AS e
WHERE
  e.early = 1;
