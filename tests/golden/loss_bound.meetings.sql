-- meetings: decides in how many turns transactions meet
SELECT
  CAST(COALESCE(SUM(c.support * c.support), 0) AS BIGINT) AS meetings,
  CAST(COALESCE(SUM(CASE WHEN c.place >= 62 THEN c.support * c.support END), 0) AS BIGINT) AS uncommon
FROM commonness AS c;
