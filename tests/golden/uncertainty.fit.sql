-- fit: what could return by itself
SELECT
  s.tid AS tid,
  MIN(s.number) AS number
FROM (
  SELECT
    t.tid AS tid,
    t.number AS number
  FROM trial AS t
  GROUP BY
    t.tid,
    t.number
  HAVING
    MAX(t.unsafe) = 0
) AS s
GROUP BY
  s.tid;
