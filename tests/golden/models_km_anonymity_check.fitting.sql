-- check_set_0: a set with enough support has no subset with less
SELECT
  s.tid AS tid,
  s.n AS n,
  CAST(SUM(s.copies) AS BIGINT) AS support
FROM (
  SELECT
    r.tid AS tid,
    r.n AS n,
    q.tid AS other,
    q.copies AS copies
  FROM check_kind AS r
  JOIN check_held AS own
    ON own.tid = r.tid
  JOIN check_held AS held
    ON held.node = own.node
  JOIN check_kind AS q
    ON q.tid = held.tid
  WHERE
    r.copies < 20
  GROUP BY
    r.tid,
    r.n,
    q.tid,
    q.copies
  HAVING
    COUNT(*) = r.n
) AS s
GROUP BY
  s.tid,
  s.n;
