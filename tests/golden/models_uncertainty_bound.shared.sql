-- shared: who could hide what a transaction keeps
SELECT
  s.tid AS tid,
  MAX(s.met + s.late) AS most
FROM (
  SELECT
    k.tid AS tid,
    MIN(k.met) AS met,
    COUNT(b.tid) AS late
  FROM (
    SELECT
      m.tid AS tid,
      m.other AS other,
      m.met + BIT_COUNT(x.bits & y.bits) AS met
    FROM (
      SELECT
        CAST((
          p.pair - p.pair % 90
        ) / 90 AS BIGINT) AS tid,
        p.pair % 90 AS other,
        p.met AS met
      FROM (
        SELECT
          a.tid * CAST(90 AS BIGINT) + b.tid AS pair,
          COUNT(*) AS met
        FROM early AS a
        JOIN uncommon AS b
          ON b.code = a.code AND b.tid <> a.tid
        WHERE
          a.early = 1 AND a.place >= 62 AND a.tid % 3 = 1
        GROUP BY
          a.tid * CAST(90 AS BIGINT) + b.tid
      ) AS p
    ) AS m
    JOIN outline AS x
      ON x.tid = m.tid
    JOIN outline AS y
      ON y.tid = m.other
    WHERE
      m.met + BIT_COUNT(x.bits & y.bits) + CASE
        WHEN x.held - x.common > x.secrets + 1
        THEN x.held - x.common - x.secrets - 1
        ELSE 0
      END >= x.held - x.secrets
  ) AS k
  LEFT JOIN early AS a
    ON a.tid = k.tid AND a.early = 0 AND a.place >= 62
  LEFT JOIN uncommon AS b
    ON b.tid = k.other AND b.code = a.code
  GROUP BY
    k.tid,
    k.other
) AS s
GROUP BY
  s.tid;
