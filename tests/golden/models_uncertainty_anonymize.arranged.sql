-- arranged: equal transactions are looked at once
SELECT
  a.tid AS tid,
  a.part AS part,
  a.held AS held,
  a.known AS known,
  MIN(a.tid) OVER (PARTITION BY a.part, a.p_1, a.p_2, a.p_3) AS alike,
  COUNT(*) OVER (PARTITION BY a.part, a.p_1, a.p_2, a.p_3) AS weight,
  a.p_1 AS p_1,
  a.p_2 AS p_2,
  a.p_3 AS p_3
FROM (
  SELECT
    s.tid AS tid,
    MIN(s.part) AS part,
    COUNT(*) AS held,
    COUNT(CASE WHEN s.code <= 40 THEN 1 END) AS known,
    MAX(CASE WHEN s.place = 1 THEN s.code ELSE 0 END) AS p_1,
    MAX(CASE WHEN s.place = 2 THEN s.code ELSE 0 END) AS p_2,
    MAX(CASE WHEN s.place = 3 THEN s.code ELSE 0 END) AS p_3
  FROM (
    SELECT
      w.tid AS tid,
      w.part AS part,
      w.code AS code,
      ROW_NUMBER() OVER (PARTITION BY w.tid ORDER BY w.code) AS place
    FROM watched AS w
    WHERE
      NOT EXISTS(
        SELECT
          1
        FROM gone AS g
        WHERE
          g.tid = w.tid AND g.code = w.code
      )
  ) AS s
  GROUP BY
    s.tid
) AS a;
