-- promising: changes that are safe as a whole: most are not
WITH tried AS (
  SELECT
    s.tid AS tid,
    s.part AS part,
    s.back AS back,
    s.gap AS gap,
    s.held AS held,
    s.known AS known,
    s.place AS place,
    ROW_NUMBER() OVER (
      PARTITION BY s.part
      ORDER BY CASE WHEN s.gap = 0 THEN 0 ELSE 1 END, s.turn, (
        (
          CAST(s.tid AS BIGINT) * 48271 % 2147483647 + (
            s.back * 64 + s.gap
          ) * 69621 % 2147483647 + 5
        ) % 2147483647
      ) * (
        (
          CAST(s.tid AS BIGINT) * 48271 % 2147483647 + (
            s.back * 64 + s.gap
          ) * 69621 % 2147483647 + 5
        ) % 2147483647
      ) % 2147483647 * (
        (
          (
            CAST(s.tid AS BIGINT) * 48271 % 2147483647 + (
              s.back * 64 + s.gap
            ) * 69621 % 2147483647 + 5
          ) % 2147483647
        ) * (
          (
            CAST(s.tid AS BIGINT) * 48271 % 2147483647 + (
              s.back * 64 + s.gap
            ) * 69621 % 2147483647 + 5
          ) % 2147483647
        ) % 2147483647
      ) % 2147483647 * (
        (
          CAST(s.tid AS BIGINT) * 48271 % 2147483647 + (
            s.back * 64 + s.gap
          ) * 69621 % 2147483647 + 5
        ) % 2147483647
      ) % 2147483647, s.tid, s.back, s.gap
    ) * 1 - s.part AS number,
    CASE WHEN s.place > 1 THEN s.p_1 WHEN s.place = 1 THEN s.back ELSE 0 END AS p_1,
    CASE WHEN s.place > 2 THEN s.p_2 WHEN s.place = 2 THEN s.back ELSE s.p_1 END AS p_2,
    CASE WHEN s.place > 3 THEN s.p_3 WHEN s.place = 3 THEN s.back ELSE s.p_2 END AS p_3
  FROM (
    SELECT
      t.tid AS tid,
      t.part AS part,
      t.back AS back,
      t.gap AS gap,
      t.turn AS turn,
      t.held AS held,
      t.known AS known,
      1 + CASE WHEN t.p_1 > 0 AND t.p_1 < t.back THEN 1 ELSE 0 END + CASE WHEN t.p_2 > 0 AND t.p_2 < t.back THEN 1 ELSE 0 END + CASE WHEN t.p_3 > 0 AND t.p_3 < t.back THEN 1 ELSE 0 END AS place,
      t.p_1 AS p_1,
      t.p_2 AS p_2,
      t.p_3 AS p_3
    FROM (
      SELECT
        w.tid AS tid,
        a.part AS part,
        w.back AS back,
        w.gap AS gap,
        0 AS turn,
        a.held + CASE WHEN w.gap = 0 THEN 1 ELSE 0 END AS held,
        a.known + CASE WHEN w.back <= 40 THEN 1 ELSE 0 END - CASE WHEN w.gap > 0 AND w.gap <= a.known THEN 1 ELSE 0 END AS known,
        CASE WHEN w.gap > 0 AND w.gap <= 1 THEN a.p_2 ELSE a.p_1 END AS p_1,
        CASE WHEN w.gap > 0 AND w.gap <= 2 THEN a.p_3 ELSE a.p_2 END AS p_2,
        CASE WHEN w.gap > 0 AND w.gap <= 3 THEN 0 ELSE a.p_3 END AS p_3
      FROM (
        SELECT
          l.tid AS tid,
          l.code AS back,
          0 AS gap
        FROM lost_1 AS l
        JOIN arranged AS a
          ON a.tid = l.tid AND a.held < 3
        UNION ALL
        SELECT
          l.tid AS tid,
          l.code AS back,
          m.top AS gap
        FROM lost_1 AS l
        JOIN arranged AS a
          ON a.tid = l.tid
        JOIN mask AS m
          ON m.size = 1 AND m.top <= a.held
        WHERE
          (
            (
              CAST(l.tid AS BIGINT) * 48271 % 2147483647 + (
                l.code * 64 + m.top
              ) * 69621 % 2147483647 + 9
            ) % 2147483647
          ) * (
            (
              CAST(l.tid AS BIGINT) * 48271 % 2147483647 + (
                l.code * 64 + m.top
              ) * 69621 % 2147483647 + 9
            ) % 2147483647
          ) % 2147483647 * (
            (
              (
                CAST(l.tid AS BIGINT) * 48271 % 2147483647 + (
                  l.code * 64 + m.top
                ) * 69621 % 2147483647 + 9
              ) % 2147483647
            ) * (
              (
                CAST(l.tid AS BIGINT) * 48271 % 2147483647 + (
                  l.code * 64 + m.top
                ) * 69621 % 2147483647 + 9
              ) % 2147483647
            ) % 2147483647
          ) % 2147483647 * (
            (
              CAST(l.tid AS BIGINT) * 48271 % 2147483647 + (
                l.code * 64 + m.top
              ) * 69621 % 2147483647 + 9
            ) % 2147483647
          ) % 2147483647 % a.held < 3
      ) AS w
      JOIN arranged AS a
        ON a.tid = w.tid
    ) AS t
  ) AS s
)
SELECT
  c.number AS number,
  c.tid AS tid,
  c.part AS part,
  c.back AS back,
  c.gap AS gap,
  c.held AS held,
  c.known AS known,
  c.place AS place,
  c.p_1 AS p_1,
  c.p_2 AS p_2,
  c.p_3 AS p_3
FROM tried AS c
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM (
      SELECT
        g.number AS number
      FROM (
        SELECT
          r.number AS number,
          r.part AS part,
          r.secret AS secret,
          r.own AS own,
          COALESCE(h.support, 0) AS support,
          COALESCE(q.support, 0) + COALESCE(e.support, 0) AS known,
          r.q_0 AS q_0,
          r.q_1 AS q_1
        FROM (
          SELECT
            x.number AS number,
            x.part AS part,
            CASE f.place WHEN 1 THEN x.p_1 WHEN 2 THEN x.p_2 WHEN 3 THEN x.p_3 END AS secret,
            CASE WHEN f.place = x.place THEN 0 ELSE 1 END AS own,
            x.p_1 * m.c_0_1 + x.p_2 * m.c_0_2 + x.p_3 * m.c_0_3 AS k_0,
            x.p_1 * m.c_1_1 + x.p_2 * m.c_1_2 + x.p_3 * m.c_1_3 AS k_1,
            x.p_1 * f.c_0_1 + x.p_2 * f.c_0_2 + x.p_3 * f.c_0_3 AS q_0,
            x.p_1 * f.c_1_1 + x.p_2 * f.c_1_2 + x.p_3 * f.c_1_3 AS q_1
          FROM tried AS x
          JOIN member AS m
            ON m.place = x.place AND m.top <= x.held
          JOIN facet AS f
            ON f.mask = m.mask AND f.place > x.known
          WHERE
            m.size = x.held
        ) AS r
        LEFT JOIN counted AS h
          ON h.part = r.part AND h.k_0 = r.k_0 AND h.k_1 = r.k_1
        LEFT JOIN counted AS q
          ON q.part = r.part AND q.k_0 = r.q_0 AND q.k_1 = r.q_1
        LEFT JOIN elsewhere AS e
          ON e.part = r.part AND e.k_0 = r.q_0 AND e.k_1 = r.q_1
      ) AS g
      WHERE
        (
          g.support + 1
        ) * 10 > 7 * (
          g.known + g.own
        )
    ) AS w
    WHERE
      w.number = c.number
  );
