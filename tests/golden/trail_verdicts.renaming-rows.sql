-- check_verdict: the checker's answer once more: it fails unless the promise holds
SELECT
  CAST(CASE
    WHEN v.faults = 0
    THEN '1'
    ELSE CAST(v.faults AS TEXT) || ' faults: the release does not keep its promise'
  END AS INT) AS kept
FROM (
  SELECT
    CAST(COALESCE(SUM(f.faults), 0) AS BIGINT) AS faults
  FROM (
    SELECT
      2 * p.pairs - p.codes - p.names AS faults
    FROM check_pairs AS p
    UNION ALL
    SELECT
      o.lost + o.added AS faults
    FROM check_occurrences AS o
    UNION ALL
    SELECT
      r.changed AS faults
    FROM check_rows AS r
  ) AS f
) AS v;
