-- whole: what a return would do
SELECT
  t.number AS number,
  t.tid AS tid,
  t.part AS part,
  MAX(CASE WHEN (
    t.support + 1
  ) * 10 > 7 * (
    t.known + t.own
  ) THEN 1 ELSE 0 END) AS unsafe,
  MIN((
    t.known * 7 - t.known * 7 % 10
  ) / 10 - t.support) AS room,
  t.k_0 AS k_0,
  t.k_1 AS k_1
FROM (
  SELECT
    r.number AS number,
    r.tid AS tid,
    r.part AS part,
    r.own AS own,
    COALESCE(h.support, 0) AS support,
    COALESCE(q.support, 0) + COALESCE(e.support, 0) AS known,
    r.k_0 AS k_0,
    r.k_1 AS k_1
  FROM (
    SELECT
      x.number AS number,
      x.tid AS tid,
      a.part AS part,
      CASE WHEN f.place = x.back_place THEN 0 ELSE 1 END AS own,
      x.p_1 * m.c_0_1 + x.p_2 * m.c_0_2 + x.p_3 * m.c_0_3 AS k_0,
      x.p_1 * m.c_1_1 + x.p_2 * m.c_1_2 + x.p_3 * m.c_1_3 AS k_1,
      x.p_1 * f.c_0_1 + x.p_2 * f.c_0_2 + x.p_3 * f.c_0_3 AS q_0,
      x.p_1 * f.c_1_1 + x.p_2 * f.c_1_2 + x.p_3 * f.c_1_3 AS q_1
    FROM extended AS x
    JOIN arranged AS a
      ON a.tid = x.tid
    JOIN facet AS b
      ON b.place = x.back_place AND b.top <= x.held
    JOIN mask AS m
      ON m.mask = b.mask
    JOIN facet AS f
      ON f.mask = b.mask AND f.place > x.known
    WHERE
      m.size = x.held
  ) AS r
  LEFT JOIN counted AS h
    ON h.part = r.part AND h.k_0 = r.k_0 AND h.k_1 = r.k_1
  LEFT JOIN counted AS q
    ON q.part = r.part AND q.k_0 = r.q_0 AND q.k_1 = r.q_1
  LEFT JOIN elsewhere AS e
    ON e.part = r.part AND e.k_0 = r.q_0 AND e.k_1 = r.q_1
) AS t
GROUP BY
  t.number,
  t.tid,
  t.part,
  t.k_0,
  t.k_1;
