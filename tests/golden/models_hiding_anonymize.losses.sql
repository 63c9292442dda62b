-- losses: what is lost
SELECT
  CAST(COALESCE(SUM(d.gone), 0) AS BIGINT) AS occurrences,
  COUNT(CASE WHEN d.gone = h.held THEN 1 END) AS emptied
FROM (
  SELECT
    tid,
    COUNT(*) AS gone
  FROM suppressed
  GROUP BY
    tid
) AS d
JOIN (
  SELECT
    tid,
    COUNT(*) AS held
  FROM occurrence
  GROUP BY
    tid
) AS h
  ON h.tid = d.tid;
