-- gone: what goes from transactions too long to list the subsets of
SELECT
  n.tid AS tid,
  n.code AS code,
  0 AS round
FROM (
  SELECT
    o.tid AS tid,
    o.code AS code,
    COALESCE(g.kept, e.known) AS kept,
    ROW_NUMBER() OVER (
      PARTITION BY o.tid
      ORDER BY CASE WHEN o.code > 40 THEN 2147483648 - o.code ELSE 0 END, o.code
    ) AS turn
  FROM original AS o
  JOIN extent AS e
    ON e.tid = o.tid AND e.held > 3 AND e.known < e.held
  LEFT JOIN guarded AS g
    ON g.tid = o.tid
) AS n
WHERE
  n.turn > n.kept;
