-- lost
-- lost_0: each row is a suppressed occurrence of a guarded transaction: it may return
SELECT
  g.tid AS tid,
  g.code AS code,
  g.round AS round
FROM gone AS g
JOIN guarded AS h
  ON h.tid = g.tid;

-- promising-rules
-- promising: pass 2: each row is a change that leaves its transaction safe as a whole
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
      ORDER BY CASE WHEN s.gap = 0 THEN 0 ELSE 1 END, s.turn, s.die * s.die % 2147483647 * (
        s.die * s.die % 2147483647
      ) % 2147483647 * s.die % 2147483647, s.tid, s.back, s.gap
    ) - s.part AS number,
    CASE WHEN s.place > 1 THEN s.p_1 ELSE s.back END AS p_1,
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
      (
        CAST(t.tid AS BIGINT) * 48271 % 2147483647 + (
          t.back * 64 + t.gap
        ) * 69621 % 2147483647 + 5
      ) % 2147483647 AS die,
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
        CASE WHEN w.gap > 0 THEN 0 ELSE a.p_3 END AS p_3
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
          d.tid AS tid,
          d.back AS back,
          d.gap AS gap
        FROM (
          SELECT
            l.tid AS tid,
            l.code AS back,
            m.top AS gap,
            a.held AS held,
            (
              CAST(l.tid AS BIGINT) * 48271 % 2147483647 + (
                l.code * 64 + m.top
              ) * 69621 % 2147483647 + 9
            ) % 2147483647 AS die
          FROM lost_1 AS l
          JOIN arranged AS a
            ON a.tid = l.tid
          JOIN mask AS m
            ON m.size = 1 AND m.top <= a.held
        ) AS d
        WHERE
          d.die * d.die % 2147483647 * (
            d.die * d.die % 2147483647
          ) % 2147483647 * d.die % 2147483647 % d.held < 3
      ) AS w
      JOIN arranged AS a
        ON a.tid = w.tid
    ) AS t
  ) AS s
), returned AS (
  WITH rule AS (
    SELECT
      x.number AS number,
      x.part AS part,
      x.p_1 * f.s_1 + x.p_2 * f.s_2 + x.p_3 * f.s_3 AS secret,
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
      m.size = x.held AND m.top = m.size
  ), asked AS (
    SELECT
      r.part AS part,
      r.k_0 AS k_0,
      r.k_1 AS k_1
    FROM rule AS r
    UNION ALL
    SELECT
      r.part AS part,
      r.q_0 AS k_0,
      r.q_1 AS k_1
    FROM rule AS r
  ), known AS (
    SELECT
      c.part AS part,
      c.support AS support,
      c.k_0 AS k_0,
      c.k_1 AS k_1
    FROM counted AS c
    WHERE
      EXISTS(
        SELECT
          1
        FROM asked AS a
        WHERE
          a.part = c.part AND a.k_0 = c.k_0 AND a.k_1 = c.k_1
      )
  )
  SELECT
    r.number AS number,
    r.part AS part,
    r.secret AS secret,
    r.own AS own,
    COALESCE(h.support, 0) AS support,
    COALESCE(q.support, 0) AS known,
    r.q_0 AS q_0,
    r.q_1 AS q_1
  FROM rule AS r
  LEFT JOIN known AS h
    ON h.part = r.part AND h.k_0 = r.k_0 AND h.k_1 = r.k_1
  LEFT JOIN known AS q
    ON q.part = r.part AND q.k_0 = r.q_0 AND q.k_1 = r.q_1
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
    FROM returned AS g
    WHERE
      g.number = c.number AND (
        g.support + 1
      ) * 10 > 7 * (
        g.known + g.own
      )
  );

-- promising-distribution
-- promising: pass 2: each row is a change that leaves its transaction safe as a whole
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
      ORDER BY CASE WHEN s.gap = 0 THEN 0 ELSE 1 END, s.turn, s.die * s.die % 2147483647 * (
        s.die * s.die % 2147483647
      ) % 2147483647 * s.die % 2147483647, s.tid, s.back, s.gap
    ) - s.part AS number,
    CASE WHEN s.place > 1 THEN s.p_1 ELSE s.back END AS p_1,
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
      (
        CAST(t.tid AS BIGINT) * 48271 % 2147483647 + (
          t.back * 64 + t.gap
        ) * 69621 % 2147483647 + 5
      ) % 2147483647 AS die,
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
        b.remaining * 1000 // b.support AS turn,
        a.held + CASE WHEN w.gap = 0 THEN 1 ELSE 0 END AS held,
        a.known + CASE WHEN w.back <= 40 THEN 1 ELSE 0 END - CASE WHEN w.gap > 0 AND w.gap <= a.known THEN 1 ELSE 0 END AS known,
        CASE WHEN w.gap > 0 AND w.gap <= 1 THEN a.p_2 ELSE a.p_1 END AS p_1,
        CASE WHEN w.gap > 0 AND w.gap <= 2 THEN a.p_3 ELSE a.p_2 END AS p_2,
        CASE WHEN w.gap > 0 THEN 0 ELSE a.p_3 END AS p_3
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
          d.tid AS tid,
          d.back AS back,
          d.gap AS gap
        FROM (
          SELECT
            l.tid AS tid,
            l.code AS back,
            m.top AS gap,
            a.held AS held,
            (
              CAST(l.tid AS BIGINT) * 48271 % 2147483647 + (
                l.code * 64 + m.top
              ) * 69621 % 2147483647 + 9
            ) % 2147483647 AS die
          FROM lost_1 AS l
          JOIN arranged AS a
            ON a.tid = l.tid
          JOIN mask AS m
            ON m.size = 1 AND m.top <= a.held
        ) AS d
        WHERE
          d.die * d.die % 2147483647 * (
            d.die * d.die % 2147483647
          ) % 2147483647 * d.die % 2147483647 % d.held < 3
      ) AS w
      JOIN arranged AS a
        ON a.tid = w.tid
      JOIN leftover AS b
        ON b.code = w.back
      LEFT JOIN leftover AS o
        ON o.code = CASE w.gap WHEN 1 THEN a.p_1 WHEN 2 THEN a.p_2 WHEN 3 THEN a.p_3 END
      WHERE
        CASE
          WHEN w.gap = 0
          THEN b.remaining * b.all_support <= b.support * b.all_remaining
          ELSE (
            2 * b.remaining + 1
          ) * o.support < (
            2 * o.remaining - 1
          ) * b.support
        END
    ) AS t
  ) AS s
), returned AS (
  WITH rule AS (
    SELECT
      x.number AS number,
      x.part AS part,
      x.p_1 * f.s_1 + x.p_2 * f.s_2 + x.p_3 * f.s_3 AS secret,
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
      m.size = x.held AND m.top = m.size
  ), asked AS (
    SELECT
      r.part AS part,
      r.k_0 AS k_0,
      r.k_1 AS k_1
    FROM rule AS r
    UNION ALL
    SELECT
      r.part AS part,
      r.q_0 AS k_0,
      r.q_1 AS k_1
    FROM rule AS r
  ), known AS (
    SELECT
      c.part AS part,
      c.support AS support,
      c.k_0 AS k_0,
      c.k_1 AS k_1
    FROM counted AS c
    WHERE
      EXISTS(
        SELECT
          1
        FROM asked AS a
        WHERE
          a.part = c.part AND a.k_0 = c.k_0 AND a.k_1 = c.k_1
      )
  )
  SELECT
    r.number AS number,
    r.part AS part,
    r.secret AS secret,
    r.own AS own,
    COALESCE(h.support, 0) AS support,
    COALESCE(q.support, 0) AS known,
    r.q_0 AS q_0,
    r.q_1 AS q_1
  FROM rule AS r
  LEFT JOIN known AS h
    ON h.part = r.part AND h.k_0 = r.k_0 AND h.k_1 = r.k_1
  LEFT JOIN known AS q
    ON q.part = r.part AND q.k_0 = r.q_0 AND q.k_1 = r.q_1
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
    FROM returned AS g
    WHERE
      g.number = c.number AND (
        g.support + 1
      ) * 10 > 7 * (
        g.known + g.own
      )
  );

-- promising-persons
-- promising: pass 2: each row is a change that leaves its transaction safe as a whole
WITH tried AS (
  SELECT
    s.tid AS tid,
    s.part AS part,
    s.back AS back,
    s.gap AS gap,
    s.held AS held,
    s.known AS known,
    s.place AS place,
    s.person AS person,
    ROW_NUMBER() OVER (
      PARTITION BY s.part
      ORDER BY CASE WHEN s.gap = 0 THEN 0 ELSE 1 END, s.turn, s.die * s.die % 2147483647 * (
        s.die * s.die % 2147483647
      ) % 2147483647 * s.die % 2147483647, s.tid, s.back, s.gap
    ) - s.part AS number,
    CASE WHEN s.place > 1 THEN s.p_1 ELSE s.back END AS p_1,
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
      (
        CAST(t.tid AS BIGINT) * 48271 % 2147483647 + (
          t.back * 64 + t.gap
        ) * 69621 % 2147483647 + 5
      ) % 2147483647 AS die,
      1 + CASE WHEN t.p_1 > 0 AND t.p_1 < t.back THEN 1 ELSE 0 END + CASE WHEN t.p_2 > 0 AND t.p_2 < t.back THEN 1 ELSE 0 END + CASE WHEN t.p_3 > 0 AND t.p_3 < t.back THEN 1 ELSE 0 END AS place,
      t.person AS person,
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
        a.person AS person,
        CASE WHEN w.gap > 0 AND w.gap <= 1 THEN a.p_2 ELSE a.p_1 END AS p_1,
        CASE WHEN w.gap > 0 AND w.gap <= 2 THEN a.p_3 ELSE a.p_2 END AS p_2,
        CASE WHEN w.gap > 0 THEN 0 ELSE a.p_3 END AS p_3
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
          d.tid AS tid,
          d.back AS back,
          d.gap AS gap
        FROM (
          SELECT
            l.tid AS tid,
            l.code AS back,
            m.top AS gap,
            a.held AS held,
            (
              CAST(l.tid AS BIGINT) * 48271 % 2147483647 + (
                l.code * 64 + m.top
              ) * 69621 % 2147483647 + 9
            ) % 2147483647 AS die
          FROM lost_1 AS l
          JOIN arranged AS a
            ON a.tid = l.tid
          JOIN mask AS m
            ON m.size = 1 AND m.top <= a.held
        ) AS d
        WHERE
          d.die * d.die % 2147483647 * (
            d.die * d.die % 2147483647
          ) % 2147483647 * d.die % 2147483647 % d.held < 3
      ) AS w
      JOIN arranged AS a
        ON a.tid = w.tid
    ) AS t
  ) AS s
), returned AS (
  WITH rule AS (
    SELECT
      x.number AS number,
      x.part AS part,
      x.p_1 * f.s_1 + x.p_2 * f.s_2 + x.p_3 * f.s_3 AS secret,
      CASE WHEN f.place = x.place THEN 0 ELSE 1 END AS own,
      x.person AS person,
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
      m.size = x.held AND m.top = m.size
  ), asked AS (
    SELECT
      r.part AS part,
      r.k_0 AS k_0,
      r.k_1 AS k_1
    FROM rule AS r
    UNION ALL
    SELECT
      r.part AS part,
      r.q_0 AS k_0,
      r.q_1 AS k_1
    FROM rule AS r
  ), known AS (
    SELECT
      c.part AS part,
      c.support AS support,
      c.persons AS persons,
      c.k_0 AS k_0,
      c.k_1 AS k_1
    FROM counted AS c
    WHERE
      EXISTS(
        SELECT
          1
        FROM asked AS a
        WHERE
          a.part = c.part AND a.k_0 = c.k_0 AND a.k_1 = c.k_1
      )
  )
  SELECT
    r.number AS number,
    r.part AS part,
    r.secret AS secret,
    r.own AS own,
    COALESCE(h.support, 0) AS support,
    COALESCE(q.support, 0) AS known,
    COALESCE(h.persons, 0) AS persons,
    COALESCE(q.persons, 0) AS known_persons,
    CASE WHEN i.person IS NULL THEN 1 ELSE 0 END AS fresh,
    CASE WHEN r.own = 1 AND j.person IS NULL AND o.person IS NULL THEN 1 ELSE 0 END AS own_person,
    r.q_0 AS q_0,
    r.q_1 AS q_1
  FROM rule AS r
  LEFT JOIN known AS h
    ON h.part = r.part AND h.k_0 = r.k_0 AND h.k_1 = r.k_1
  LEFT JOIN known AS q
    ON q.part = r.part AND q.k_0 = r.q_0 AND q.k_1 = r.q_1
  LEFT JOIN own_holder AS i
    ON i.part = r.part AND i.person = r.person AND i.k_0 = r.k_0 AND i.k_1 = r.k_1
  LEFT JOIN own_holder AS j
    ON j.part = r.part AND j.person = r.person AND j.k_0 = r.q_0 AND j.k_1 = r.q_1
  LEFT JOIN outer_holder AS o
    ON o.part = r.part AND o.person = r.person AND o.k_0 = r.q_0 AND o.k_1 = r.q_1
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
  c.person AS person,
  c.p_1 AS p_1,
  c.p_2 AS p_2,
  c.p_3 AS p_3
FROM tried AS c
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM returned AS g
    WHERE
      g.number = c.number
      AND (
        (
          g.support + 1
        ) * 10 > 7 * (
          g.known + g.own
        )
        OR (
          g.persons + g.fresh
        ) * 10 > 7 * (
          g.known_persons + g.own_person
        )
      )
  );

-- standing
-- standing: each row is a safe rule with its slack: the distance from rho
SELECT
  r.part AS part,
  r.secret AS secret,
  r.known * 7 - r.support * 10 AS slack,
  r.q_0 AS q_0,
  r.q_1 AS q_1
FROM (
  SELECT
    r.part AS part,
    r.secret AS secret,
    r.support AS support,
    r.shape AS shape,
    r.mask AS mask,
    COALESCE(q.support, 1) AS known,
    r.k_0 AS k_0,
    r.k_1 AS k_1,
    r.q_0 AS q_0,
    r.q_1 AS q_1
  FROM (
    SELECT
      c.part AS part,
      c.support AS support,
      c.shape AS shape,
      c.mask AS mask,
      a.p_1 * f.s_1 + a.p_2 * f.s_2 + a.p_3 * f.s_3 AS secret,
      c.k_0 AS k_0,
      c.k_1 AS k_1,
      a.p_1 * f.c_0_1 + a.p_2 * f.c_0_2 + a.p_3 * f.c_0_3 AS q_0,
      a.p_1 * f.c_1_1 + a.p_2 * f.c_1_2 + a.p_3 * f.c_1_3 AS q_1
    FROM counted AS c
    JOIN arranged AS a
      ON a.tid = c.shape
    JOIN facet AS f
      ON f.mask = c.mask AND f.place > a.known
    WHERE
      c.telling = 1 AND a.held >= 2
  ) AS r
  LEFT JOIN counted AS q
    ON q.part = r.part AND q.k_0 = r.q_0 AND q.k_1 = r.q_1
) AS r;

-- standing-persons
-- standing: each row is a safe rule with its slack: the distance from rho
SELECT
  r.part AS part,
  r.secret AS secret,
  r.known * 7 - r.support * 10 AS slack,
  r.known_persons * 7 - r.persons * 10 AS person_slack,
  r.q_0 AS q_0,
  r.q_1 AS q_1
FROM (
  SELECT
    r.part AS part,
    r.secret AS secret,
    r.support AS support,
    r.shape AS shape,
    r.mask AS mask,
    COALESCE(q.support, 1) AS known,
    r.persons AS persons,
    COALESCE(q.persons, 1) AS known_persons,
    r.k_0 AS k_0,
    r.k_1 AS k_1,
    r.q_0 AS q_0,
    r.q_1 AS q_1
  FROM (
    SELECT
      c.part AS part,
      c.support AS support,
      c.shape AS shape,
      c.mask AS mask,
      c.persons AS persons,
      a.p_1 * f.s_1 + a.p_2 * f.s_2 + a.p_3 * f.s_3 AS secret,
      c.k_0 AS k_0,
      c.k_1 AS k_1,
      a.p_1 * f.c_0_1 + a.p_2 * f.c_0_2 + a.p_3 * f.c_0_3 AS q_0,
      a.p_1 * f.c_1_1 + a.p_2 * f.c_1_2 + a.p_3 * f.c_1_3 AS q_1
    FROM counted AS c
    JOIN arranged AS a
      ON a.tid = c.shape
    JOIN facet AS f
      ON f.mask = c.mask AND f.place > a.known
    WHERE
      c.telling = 1 AND a.held >= 2
  ) AS r
  LEFT JOIN counted AS q
    ON q.part = r.part AND q.k_0 = r.q_0 AND q.k_1 = r.q_1
) AS r;

-- chosen
-- chosen: each row is the first change of a transaction that no present rule forbids
WITH returned AS (
  WITH rule AS (
    SELECT
      x.number AS number,
      x.part AS part,
      x.p_1 * f.s_1 + x.p_2 * f.s_2 + x.p_3 * f.s_3 AS secret,
      CASE WHEN f.place = x.place THEN 0 ELSE 1 END AS own,
      x.p_1 * m.c_0_1 + x.p_2 * m.c_0_2 + x.p_3 * m.c_0_3 AS k_0,
      x.p_1 * m.c_1_1 + x.p_2 * m.c_1_2 + x.p_3 * m.c_1_3 AS k_1,
      x.p_1 * f.c_0_1 + x.p_2 * f.c_0_2 + x.p_3 * f.c_0_3 AS q_0,
      x.p_1 * f.c_1_1 + x.p_2 * f.c_1_2 + x.p_3 * f.c_1_3 AS q_1
    FROM promising AS x
    JOIN member AS m
      ON m.place = x.place AND m.top <= x.held
    JOIN facet AS f
      ON f.mask = m.mask AND f.place > x.known
  ), asked AS (
    SELECT
      r.part AS part,
      r.k_0 AS k_0,
      r.k_1 AS k_1
    FROM rule AS r
    UNION ALL
    SELECT
      r.part AS part,
      r.q_0 AS k_0,
      r.q_1 AS k_1
    FROM rule AS r
  ), known AS (
    SELECT
      c.part AS part,
      c.support AS support,
      c.k_0 AS k_0,
      c.k_1 AS k_1
    FROM counted AS c
    WHERE
      EXISTS(
        SELECT
          1
        FROM asked AS a
        WHERE
          a.part = c.part AND a.k_0 = c.k_0 AND a.k_1 = c.k_1
      )
  )
  SELECT
    r.number AS number,
    r.part AS part,
    r.secret AS secret,
    r.own AS own,
    COALESCE(h.support, 0) AS support,
    COALESCE(q.support, 0) AS known,
    r.q_0 AS q_0,
    r.q_1 AS q_1
  FROM rule AS r
  LEFT JOIN known AS h
    ON h.part = r.part AND h.k_0 = r.k_0 AND h.k_1 = r.k_1
  LEFT JOIN known AS q
    ON q.part = r.part AND q.k_0 = r.q_0 AND q.k_1 = r.q_1
), bared AS (
  SELECT
    r.number AS number,
    r.part AS part,
    u.secret AS secret,
    u.slack AS slack,
    r.q_0 AS q_0,
    r.q_1 AS q_1
  FROM (
    SELECT
      x.number AS number,
      x.part AS part,
      a.p_1 * m.c_0_1 + a.p_2 * m.c_0_2 + a.p_3 * m.c_0_3 AS q_0,
      a.p_1 * m.c_1_1 + a.p_2 * m.c_1_2 + a.p_3 * m.c_1_3 AS q_1,
      a.p_1 AS p_1,
      a.p_2 AS p_2,
      a.p_3 AS p_3
    FROM promising AS x
    JOIN arranged AS a
      ON a.tid = x.tid
    JOIN member AS m
      ON m.place = x.gap AND m.top <= a.held
  ) AS r
  JOIN standing AS u
    ON u.part = r.part AND u.q_0 = r.q_0 AND u.q_1 = r.q_1
  WHERE
    u.secret <> r.p_1 AND u.secret <> r.p_2 AND u.secret <> r.p_3
)
SELECT
  p.number AS number,
  p.tid AS tid,
  p.part AS part,
  p.back AS back,
  p.gap AS gap,
  p.held AS held,
  p.known AS known,
  p.place AS place,
  p.p_1 AS p_1,
  p.p_2 AS p_2,
  p.p_3 AS p_3
FROM promising AS p
JOIN (
  SELECT
    p.tid AS tid,
    MIN(p.number) AS number
  FROM promising AS p
  WHERE
    NOT EXISTS(
      SELECT
        1
      FROM returned AS g
      WHERE
        g.number = p.number AND (
          g.support + 1
        ) * 10 > 7 * (
          g.known + g.own
        )
    )
    AND NOT EXISTS(
      SELECT
        1
      FROM bared AS b
      WHERE
        b.number = p.number AND b.slack < 7
    )
  GROUP BY
    p.tid
) AS s
  ON s.number = p.number;

-- chosen-persons
-- chosen: each row is the first change of a transaction that no present rule forbids
WITH returned AS (
  WITH rule AS (
    SELECT
      x.number AS number,
      x.part AS part,
      x.p_1 * f.s_1 + x.p_2 * f.s_2 + x.p_3 * f.s_3 AS secret,
      CASE WHEN f.place = x.place THEN 0 ELSE 1 END AS own,
      x.person AS person,
      x.p_1 * m.c_0_1 + x.p_2 * m.c_0_2 + x.p_3 * m.c_0_3 AS k_0,
      x.p_1 * m.c_1_1 + x.p_2 * m.c_1_2 + x.p_3 * m.c_1_3 AS k_1,
      x.p_1 * f.c_0_1 + x.p_2 * f.c_0_2 + x.p_3 * f.c_0_3 AS q_0,
      x.p_1 * f.c_1_1 + x.p_2 * f.c_1_2 + x.p_3 * f.c_1_3 AS q_1
    FROM promising AS x
    JOIN member AS m
      ON m.place = x.place AND m.top <= x.held
    JOIN facet AS f
      ON f.mask = m.mask AND f.place > x.known
  ), asked AS (
    SELECT
      r.part AS part,
      r.k_0 AS k_0,
      r.k_1 AS k_1
    FROM rule AS r
    UNION ALL
    SELECT
      r.part AS part,
      r.q_0 AS k_0,
      r.q_1 AS k_1
    FROM rule AS r
  ), known AS (
    SELECT
      c.part AS part,
      c.support AS support,
      c.persons AS persons,
      c.k_0 AS k_0,
      c.k_1 AS k_1
    FROM counted AS c
    WHERE
      EXISTS(
        SELECT
          1
        FROM asked AS a
        WHERE
          a.part = c.part AND a.k_0 = c.k_0 AND a.k_1 = c.k_1
      )
  )
  SELECT
    r.number AS number,
    r.part AS part,
    r.secret AS secret,
    r.own AS own,
    COALESCE(h.support, 0) AS support,
    COALESCE(q.support, 0) AS known,
    COALESCE(h.persons, 0) AS persons,
    COALESCE(q.persons, 0) AS known_persons,
    CASE WHEN i.person IS NULL THEN 1 ELSE 0 END AS fresh,
    CASE WHEN r.own = 1 AND j.person IS NULL AND o.person IS NULL THEN 1 ELSE 0 END AS own_person,
    r.q_0 AS q_0,
    r.q_1 AS q_1
  FROM rule AS r
  LEFT JOIN known AS h
    ON h.part = r.part AND h.k_0 = r.k_0 AND h.k_1 = r.k_1
  LEFT JOIN known AS q
    ON q.part = r.part AND q.k_0 = r.q_0 AND q.k_1 = r.q_1
  LEFT JOIN own_holder AS i
    ON i.part = r.part AND i.person = r.person AND i.k_0 = r.k_0 AND i.k_1 = r.k_1
  LEFT JOIN own_holder AS j
    ON j.part = r.part AND j.person = r.person AND j.k_0 = r.q_0 AND j.k_1 = r.q_1
  LEFT JOIN outer_holder AS o
    ON o.part = r.part AND o.person = r.person AND o.k_0 = r.q_0 AND o.k_1 = r.q_1
), bared AS (
  SELECT
    r.number AS number,
    r.part AS part,
    u.secret AS secret,
    u.slack AS slack,
    u.person_slack AS person_slack,
    r.q_0 AS q_0,
    r.q_1 AS q_1
  FROM (
    SELECT
      x.number AS number,
      x.part AS part,
      a.p_1 * m.c_0_1 + a.p_2 * m.c_0_2 + a.p_3 * m.c_0_3 AS q_0,
      a.p_1 * m.c_1_1 + a.p_2 * m.c_1_2 + a.p_3 * m.c_1_3 AS q_1,
      a.p_1 AS p_1,
      a.p_2 AS p_2,
      a.p_3 AS p_3
    FROM promising AS x
    JOIN arranged AS a
      ON a.tid = x.tid
    JOIN member AS m
      ON m.place = x.gap AND m.top <= a.held
  ) AS r
  JOIN standing AS u
    ON u.part = r.part AND u.q_0 = r.q_0 AND u.q_1 = r.q_1
  WHERE
    u.secret <> r.p_1 AND u.secret <> r.p_2 AND u.secret <> r.p_3
)
SELECT
  p.number AS number,
  p.tid AS tid,
  p.part AS part,
  p.back AS back,
  p.gap AS gap,
  p.held AS held,
  p.known AS known,
  p.place AS place,
  p.person AS person,
  p.p_1 AS p_1,
  p.p_2 AS p_2,
  p.p_3 AS p_3
FROM promising AS p
JOIN (
  SELECT
    p.tid AS tid,
    MIN(p.number) AS number
  FROM promising AS p
  WHERE
    NOT EXISTS(
      SELECT
        1
      FROM returned AS g
      WHERE
        g.number = p.number
        AND (
          (
            g.support + 1
          ) * 10 > 7 * (
            g.known + g.own
          )
          OR (
            g.persons + g.fresh
          ) * 10 > 7 * (
            g.known_persons + g.own_person
          )
        )
    )
    AND NOT EXISTS(
      SELECT
        1
      FROM bared AS b
      WHERE
        b.number = p.number AND (
          b.slack < 7 OR b.person_slack < 7
        )
    )
  GROUP BY
    p.tid
) AS s
  ON s.number = p.number;

-- moved
-- moved: each row is a change that is made: together they exceed no rule's slack
WITH gained AS (
  SELECT
    g.number AS number,
    g.part AS part,
    g.secret AS secret,
    g.known * 7 - g.support * 10 AS slack,
    10 - g.own * 7 AS cost,
    g.support AS support,
    g.q_0 AS q_0,
    g.q_1 AS q_1
  FROM (
    WITH rule AS (
      SELECT
        x.number AS number,
        x.part AS part,
        x.p_1 * f.s_1 + x.p_2 * f.s_2 + x.p_3 * f.s_3 AS secret,
        CASE WHEN f.place = x.place THEN 0 ELSE 1 END AS own,
        x.p_1 * m.c_0_1 + x.p_2 * m.c_0_2 + x.p_3 * m.c_0_3 AS k_0,
        x.p_1 * m.c_1_1 + x.p_2 * m.c_1_2 + x.p_3 * m.c_1_3 AS k_1,
        x.p_1 * f.c_0_1 + x.p_2 * f.c_0_2 + x.p_3 * f.c_0_3 AS q_0,
        x.p_1 * f.c_1_1 + x.p_2 * f.c_1_2 + x.p_3 * f.c_1_3 AS q_1
      FROM chosen AS x
      JOIN member AS m
        ON m.place = x.place AND m.top <= x.held
      JOIN facet AS f
        ON f.mask = m.mask AND f.place > x.known
    ), asked AS (
      SELECT
        r.part AS part,
        r.k_0 AS k_0,
        r.k_1 AS k_1
      FROM rule AS r
      UNION ALL
      SELECT
        r.part AS part,
        r.q_0 AS k_0,
        r.q_1 AS k_1
      FROM rule AS r
    ), known AS (
      SELECT
        c.part AS part,
        c.support AS support,
        c.k_0 AS k_0,
        c.k_1 AS k_1
      FROM counted AS c
      WHERE
        EXISTS(
          SELECT
            1
          FROM asked AS a
          WHERE
            a.part = c.part AND a.k_0 = c.k_0 AND a.k_1 = c.k_1
        )
    )
    SELECT
      r.number AS number,
      r.part AS part,
      r.secret AS secret,
      r.own AS own,
      COALESCE(h.support, 0) AS support,
      COALESCE(q.support, 0) AS known,
      r.q_0 AS q_0,
      r.q_1 AS q_1
    FROM rule AS r
    LEFT JOIN known AS h
      ON h.part = r.part AND h.k_0 = r.k_0 AND h.k_1 = r.k_1
    LEFT JOIN known AS q
      ON q.part = r.part AND q.k_0 = r.q_0 AND q.k_1 = r.q_1
  ) AS g
), touched AS (
  SELECT
    s.part AS part,
    s.secret AS secret,
    s.slack AS slack,
    s.q_0 AS q_0,
    s.q_1 AS q_1
  FROM standing AS s
  UNION ALL
  SELECT DISTINCT
    g.part AS part,
    g.secret AS secret,
    g.slack AS slack,
    g.q_0 AS q_0,
    g.q_1 AS q_1
  FROM gained AS g
  WHERE
    g.support = 0
), borne AS (
  SELECT
    g.number AS number,
    g.part AS part,
    g.secret AS secret,
    g.slack AS slack,
    g.cost AS cost,
    g.q_0 AS q_0,
    g.q_1 AS q_1
  FROM gained AS g
  UNION ALL
  SELECT
    b.number AS number,
    b.part AS part,
    b.secret AS secret,
    b.slack AS slack,
    7 AS cost,
    b.q_0 AS q_0,
    b.q_1 AS q_1
  FROM (
    SELECT
      r.number AS number,
      r.part AS part,
      u.secret AS secret,
      u.slack AS slack,
      r.q_0 AS q_0,
      r.q_1 AS q_1
    FROM (
      SELECT
        x.number AS number,
        x.part AS part,
        a.p_1 * m.c_0_1 + a.p_2 * m.c_0_2 + a.p_3 * m.c_0_3 AS q_0,
        a.p_1 * m.c_1_1 + a.p_2 * m.c_1_2 + a.p_3 * m.c_1_3 AS q_1,
        a.p_1 AS p_1,
        a.p_2 AS p_2,
        a.p_3 AS p_3
      FROM chosen AS x
      JOIN arranged AS a
        ON a.tid = x.tid
      JOIN member AS m
        ON m.place = x.gap AND m.top <= a.held
    ) AS r
    JOIN touched AS u
      ON u.part = r.part AND u.q_0 = r.q_0 AND u.q_1 = r.q_1
    WHERE
      u.secret <> r.p_1 AND u.secret <> r.p_2 AND u.secret <> r.p_3
  ) AS b
), strained AS (
  SELECT
    b.part AS part,
    b.secret AS secret,
    b.q_0 AS q_0,
    b.q_1 AS q_1
  FROM borne AS b
  GROUP BY
    b.part,
    b.secret,
    b.q_0,
    b.q_1
  HAVING
    CAST(SUM(b.cost) AS BIGINT) > MIN(b.slack)
), overdrawn AS (
  SELECT
    r.number AS number
  FROM (
    SELECT
      b.number AS number,
      b.slack AS slack,
      CAST(SUM(b.cost) OVER (PARTITION BY b.part, b.secret, b.q_0, b.q_1 ORDER BY b.number) AS BIGINT) AS cost
    FROM borne AS b
    JOIN strained AS s
      ON s.part = b.part AND s.secret = b.secret AND s.q_0 = b.q_0 AND s.q_1 = b.q_1
  ) AS r
  WHERE
    r.cost > r.slack
)
SELECT
  c.tid AS tid,
  c.back AS back,
  c.gap AS gap
FROM chosen AS c
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM overdrawn AS o
    WHERE
      o.number = c.number
  );

-- moved-persons
-- moved: each row is a change that is made: together they exceed no rule's slack
WITH gained AS (
  SELECT
    g.number AS number,
    g.part AS part,
    g.secret AS secret,
    g.known * 7 - g.support * 10 AS slack,
    10 - g.own * 7 AS cost,
    g.support AS support,
    g.known_persons * 7 - g.persons * 10 AS person_slack,
    g.fresh * 10 - g.own_person * 7 AS person_cost,
    g.q_0 AS q_0,
    g.q_1 AS q_1
  FROM (
    WITH rule AS (
      SELECT
        x.number AS number,
        x.part AS part,
        x.p_1 * f.s_1 + x.p_2 * f.s_2 + x.p_3 * f.s_3 AS secret,
        CASE WHEN f.place = x.place THEN 0 ELSE 1 END AS own,
        x.person AS person,
        x.p_1 * m.c_0_1 + x.p_2 * m.c_0_2 + x.p_3 * m.c_0_3 AS k_0,
        x.p_1 * m.c_1_1 + x.p_2 * m.c_1_2 + x.p_3 * m.c_1_3 AS k_1,
        x.p_1 * f.c_0_1 + x.p_2 * f.c_0_2 + x.p_3 * f.c_0_3 AS q_0,
        x.p_1 * f.c_1_1 + x.p_2 * f.c_1_2 + x.p_3 * f.c_1_3 AS q_1
      FROM chosen AS x
      JOIN member AS m
        ON m.place = x.place AND m.top <= x.held
      JOIN facet AS f
        ON f.mask = m.mask AND f.place > x.known
    ), asked AS (
      SELECT
        r.part AS part,
        r.k_0 AS k_0,
        r.k_1 AS k_1
      FROM rule AS r
      UNION ALL
      SELECT
        r.part AS part,
        r.q_0 AS k_0,
        r.q_1 AS k_1
      FROM rule AS r
    ), known AS (
      SELECT
        c.part AS part,
        c.support AS support,
        c.persons AS persons,
        c.k_0 AS k_0,
        c.k_1 AS k_1
      FROM counted AS c
      WHERE
        EXISTS(
          SELECT
            1
          FROM asked AS a
          WHERE
            a.part = c.part AND a.k_0 = c.k_0 AND a.k_1 = c.k_1
        )
    )
    SELECT
      r.number AS number,
      r.part AS part,
      r.secret AS secret,
      r.own AS own,
      COALESCE(h.support, 0) AS support,
      COALESCE(q.support, 0) AS known,
      COALESCE(h.persons, 0) AS persons,
      COALESCE(q.persons, 0) AS known_persons,
      CASE WHEN i.person IS NULL THEN 1 ELSE 0 END AS fresh,
      CASE WHEN r.own = 1 AND j.person IS NULL AND o.person IS NULL THEN 1 ELSE 0 END AS own_person,
      r.q_0 AS q_0,
      r.q_1 AS q_1
    FROM rule AS r
    LEFT JOIN known AS h
      ON h.part = r.part AND h.k_0 = r.k_0 AND h.k_1 = r.k_1
    LEFT JOIN known AS q
      ON q.part = r.part AND q.k_0 = r.q_0 AND q.k_1 = r.q_1
    LEFT JOIN own_holder AS i
      ON i.part = r.part AND i.person = r.person AND i.k_0 = r.k_0 AND i.k_1 = r.k_1
    LEFT JOIN own_holder AS j
      ON j.part = r.part AND j.person = r.person AND j.k_0 = r.q_0 AND j.k_1 = r.q_1
    LEFT JOIN outer_holder AS o
      ON o.part = r.part AND o.person = r.person AND o.k_0 = r.q_0 AND o.k_1 = r.q_1
  ) AS g
), touched AS (
  SELECT
    s.part AS part,
    s.secret AS secret,
    s.slack AS slack,
    s.person_slack AS person_slack,
    s.q_0 AS q_0,
    s.q_1 AS q_1
  FROM standing AS s
  UNION ALL
  SELECT DISTINCT
    g.part AS part,
    g.secret AS secret,
    g.slack AS slack,
    g.person_slack AS person_slack,
    g.q_0 AS q_0,
    g.q_1 AS q_1
  FROM gained AS g
  WHERE
    g.support = 0
), borne AS (
  SELECT
    g.number AS number,
    g.part AS part,
    g.secret AS secret,
    g.slack AS slack,
    g.cost AS cost,
    g.person_slack AS person_slack,
    g.person_cost AS person_cost,
    g.q_0 AS q_0,
    g.q_1 AS q_1
  FROM gained AS g
  UNION ALL
  SELECT
    b.number AS number,
    b.part AS part,
    b.secret AS secret,
    b.slack AS slack,
    7 AS cost,
    b.person_slack AS person_slack,
    7 AS person_cost,
    b.q_0 AS q_0,
    b.q_1 AS q_1
  FROM (
    SELECT
      r.number AS number,
      r.part AS part,
      u.secret AS secret,
      u.slack AS slack,
      u.person_slack AS person_slack,
      r.q_0 AS q_0,
      r.q_1 AS q_1
    FROM (
      SELECT
        x.number AS number,
        x.part AS part,
        a.p_1 * m.c_0_1 + a.p_2 * m.c_0_2 + a.p_3 * m.c_0_3 AS q_0,
        a.p_1 * m.c_1_1 + a.p_2 * m.c_1_2 + a.p_3 * m.c_1_3 AS q_1,
        a.p_1 AS p_1,
        a.p_2 AS p_2,
        a.p_3 AS p_3
      FROM chosen AS x
      JOIN arranged AS a
        ON a.tid = x.tid
      JOIN member AS m
        ON m.place = x.gap AND m.top <= a.held
    ) AS r
    JOIN touched AS u
      ON u.part = r.part AND u.q_0 = r.q_0 AND u.q_1 = r.q_1
    WHERE
      u.secret <> r.p_1 AND u.secret <> r.p_2 AND u.secret <> r.p_3
  ) AS b
), strained AS (
  SELECT
    b.part AS part,
    b.secret AS secret,
    b.q_0 AS q_0,
    b.q_1 AS q_1
  FROM borne AS b
  GROUP BY
    b.part,
    b.secret,
    b.q_0,
    b.q_1
  HAVING
    CAST(SUM(b.cost) AS BIGINT) > MIN(b.slack)
    OR CAST(SUM(b.person_cost) AS BIGINT) > MIN(b.person_slack)
), overdrawn AS (
  SELECT
    r.number AS number
  FROM (
    SELECT
      b.number AS number,
      b.slack AS slack,
      CAST(SUM(b.cost) OVER (PARTITION BY b.part, b.secret, b.q_0, b.q_1 ORDER BY b.number) AS BIGINT) AS cost,
      b.person_slack AS person_slack,
      CAST(SUM(b.person_cost) OVER (PARTITION BY b.part, b.secret, b.q_0, b.q_1 ORDER BY b.number) AS BIGINT) AS person_cost
    FROM borne AS b
    JOIN strained AS s
      ON s.part = b.part AND s.secret = b.secret AND s.q_0 = b.q_0 AND s.q_1 = b.q_1
  ) AS r
  WHERE
    r.cost > r.slack OR r.person_cost > r.person_slack
)
SELECT
  c.tid AS tid,
  c.back AS back,
  c.gap AS gap
FROM chosen AS c
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM overdrawn AS o
    WHERE
      o.number = c.number
  );

-- still_lost
-- lost_2: each row is an occurrence that is still suppressed after pass 2
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

-- suppressed
-- suppressed: each row is an occurrence that the release leaves out
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
