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
      COUNT(*) AS faults
    FROM check_class AS c
    WHERE
      c.transactions < 20
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_unlike_2 AS u
    UNION ALL
    SELECT
      CASE WHEN COALESCE(s.n, 0) = t.n THEN 0 ELSE 1 END AS faults
    FROM (
      SELECT
        CAST(SUM(c.transactions) AS BIGINT) AS n
      FROM check_class AS c
    ) AS s
    CROSS JOIN (
      SELECT
        COUNT(*) AS n
      FROM check_key AS r
    ) AS t
  ) AS f
) AS v;
