-- losses: what it cost
SELECT
  CAST(COALESCE(SUM(l.gone), 0) AS BIGINT) AS gone,
  CAST(COALESCE(SUM(l.sensitive), 0) AS BIGINT) AS sensitive,
  COUNT(*) AS touched,
  COUNT(CASE WHEN l.gone = e.held THEN 1 END) AS emptied
FROM (
  SELECT
    s.tid AS tid,
    COUNT(*) AS gone,
    CAST(SUM(c.sensitive) AS BIGINT) AS sensitive
  FROM suppressed AS s
  JOIN coded AS c
    ON c.item = s.item
  GROUP BY
    s.tid
) AS l
JOIN (
  SELECT
    o.tid AS tid,
    COUNT(*) AS held
  FROM occurrence AS o
  GROUP BY
    o.tid
) AS e
  ON e.tid = l.tid;
