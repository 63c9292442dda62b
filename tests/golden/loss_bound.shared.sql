-- shared: who could hide what a transaction keeps
SELECT
  m.tid AS tid,
  MAX(m.shared + BIT_COUNT(x.bits & y.bits)) AS most
FROM (
  SELECT
    CAST((
      p.pair - p.pair % 90
    ) / 90 AS BIGINT) AS tid,
    p.pair % 90 AS other,
    p.shared AS shared
  FROM (
    SELECT
      a.tid * CAST(90 AS BIGINT) + b.tid AS pair,
      COUNT(*) AS shared
    FROM uncommon AS a
    JOIN uncommon AS b
      ON b.code = a.code AND b.tid <> a.tid
    WHERE
      a.asked = 1 AND a.tid % 3 = 1
    GROUP BY
      a.tid * CAST(90 AS BIGINT) + b.tid
  ) AS p
) AS m
JOIN outline AS x
  ON x.tid = m.tid
JOIN outline AS y
  ON y.tid = m.other
GROUP BY
  m.tid;
