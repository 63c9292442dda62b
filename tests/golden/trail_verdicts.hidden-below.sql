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
    FROM check_change AS c
    WHERE
      c.added > 0 OR c.stray > 0
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM (
      SELECT
        p.pattern AS pattern,
        COALESCE(w.support, 0) AS was,
        COALESCE(i.support, 0) AS stays
      FROM (
        SELECT DISTINCT
          pattern
        FROM check_pattern
      ) AS p
      LEFT JOIN (
        SELECT
          pattern,
          CAST(SUM(BIT_COUNT(bits)) AS BIGINT) AS support
        FROM check_cohort
        GROUP BY
          pattern
      ) AS w
        ON w.pattern = p.pattern
      LEFT JOIN (
        SELECT
          pattern,
          CAST(SUM(BIT_COUNT(bits)) AS BIGINT) AS support
        FROM check_left
        GROUP BY
          pattern
      ) AS i
        ON i.pattern = p.pattern
    ) AS s
    WHERE
      NOT (
        s.stays < 20
      )
    UNION ALL
    SELECT
      CASE WHEN COUNT(DISTINCT p.pattern) = 3 THEN 0 ELSE 1 END AS faults
    FROM check_pattern AS p
  ) AS f
) AS v;
