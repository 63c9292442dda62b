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
    FROM (
      SELECT
        COUNT(*) AS n
      FROM check_key AS r
    ) AS t
    WHERE
      t.n > 0 AND t.n < 20
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM (
      SELECT
        CAST(SUM(BIT_COUNT(s.bits)) AS BIGINT) AS hits
      FROM check_secret AS s
      GROUP BY
        s.item
    ) AS x
    CROSS JOIN (
      SELECT
        COUNT(*) AS n
      FROM check_key AS r
    ) AS t
    WHERE
      x.hits * 5 > 2 * t.n
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_set_1 AS t
    WHERE
      t.support < 20
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_suspect_1 AS s
    JOIN check_set_1 AS t
      ON t.id = s.id
    WHERE
      s.hits * 5 > 2 * t.support
    UNION ALL
    SELECT
      CASE WHEN a.n = b.n THEN 0 ELSE 1 END AS faults
    FROM (
      SELECT
        COUNT(*) AS n
      FROM check_set_1 AS r
    ) AS a
    CROSS JOIN (
      SELECT
        COUNT(*) AS n
      FROM check_fine_1 AS r
    ) AS b
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_set_2 AS t
    WHERE
      t.support < 20
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_suspect_2 AS s
    JOIN check_set_2 AS t
      ON t.id = s.id
    WHERE
      s.hits * 5 > 2 * t.support
    UNION ALL
    SELECT
      CASE WHEN a.n = b.n THEN 0 ELSE 1 END AS faults
    FROM (
      SELECT
        COUNT(*) AS n
      FROM check_set_2 AS r
    ) AS a
    CROSS JOIN (
      SELECT
        COUNT(*) AS n
      FROM check_fine_2 AS r
    ) AS b
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_set_2 AS t
  ) AS f
) AS v;
