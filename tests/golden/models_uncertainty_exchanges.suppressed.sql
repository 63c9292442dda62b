-- suppressed: what the release leaves out
SELECT
  o.tid AS tid,
  c.item AS item,
  o.round AS round
FROM (
  SELECT
    l.tid AS tid,
    l.code AS code,
    l.round AS round
  FROM lost_2 AS l
  UNION ALL
  SELECT
    g.tid AS tid,
    g.code AS code,
    g.round AS round
  FROM gone AS g
  WHERE
    NOT EXISTS(
      SELECT
        1
      FROM guarded AS h
      WHERE
        h.tid = g.tid
    )
) AS o
JOIN coded AS c
  ON c.code = o.code;
