-- lost_2: what stays suppressed
SELECT
  l.tid AS tid,
  l.code AS code,
  l.round AS round
FROM lost_1 AS l
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM moved AS b
    WHERE
      b.tid = l.tid AND b.back = l.code
  )
UNION ALL
SELECT
  m.tid AS tid,
  CASE m.gap WHEN 1 THEN a.p_1 WHEN 2 THEN a.p_2 WHEN 3 THEN a.p_3 END AS code,
  9 AS round
FROM moved AS m
JOIN arranged AS a
  ON a.tid = m.tid
WHERE
  m.gap > 0;
