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
    FROM check_set_1 AS s
    WHERE
      s.support < 20
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_set_2 AS s
    WHERE
      s.support < 20
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM (
      SELECT
        h.tid AS tid
      FROM check_held AS h
      GROUP BY
        h.tid
      HAVING
        COUNT(*) > 2
    ) AS t
  ) AS f
) AS v;
