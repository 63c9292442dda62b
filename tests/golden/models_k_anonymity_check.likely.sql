-- check_twin_1: likely twins have the same sums
SELECT
  s.tid AS tid,
  s.size AS size,
  MIN(s.tid) OVER (PARTITION BY s.size, s.least, s.most, s.total, s.mixed) AS first
FROM (
  SELECT
    k.tid AS tid,
    COUNT(h.node) AS size,
    COALESCE(MIN(h.node % 2147483647), 0) AS least,
    COALESCE(MAX(h.node % 2147483647), 0) AS most,
    CAST(COALESCE(SUM(h.node % 2147483647), 0) AS BIGINT) AS total,
    CAST(COALESCE(SUM(CAST(h.node AS BIGINT) * 48271 % 2147483647 * h.node % 2147483647), 0) AS BIGINT) AS mixed
  FROM check_key AS k
  LEFT JOIN check_held AS h
    ON h.tid = k.tid
  GROUP BY
    k.tid
) AS s;
