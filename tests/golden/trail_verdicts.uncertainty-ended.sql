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
      j.unsafe AS faults
    FROM check_judged_1 AS j
    UNION ALL
    SELECT
      j.unsafe AS faults
    FROM check_judged_2 AS j
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_cover AS c
    WHERE
      c.covers = 0 AND c.repeats = 0 AND c.known <= 9 AND 2 < 5
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_growing_2 AS g
  ) AS f
) AS v;
