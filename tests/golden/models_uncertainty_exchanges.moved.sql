-- moved: what changes together
WITH chosen AS (
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
              FROM promising AS x
              JOIN member AS m
                ON m.place = x.place AND m.top <= x.held
              JOIN facet AS f
                ON f.mask = m.mask AND f.place > x.known
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
        ) AS g
        WHERE
          g.number = p.number
      )
      AND NOT EXISTS(
        SELECT
          1
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
        ) AS b
        WHERE
          b.number = p.number AND b.slack < 7
      )
    GROUP BY
      p.tid
  ) AS s
    ON s.number = p.number
), gained AS (
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
      FROM chosen AS x
      JOIN member AS m
        ON m.place = x.place AND m.top <= x.held
      JOIN facet AS f
        ON f.mask = m.mask AND f.place > x.known
    ) AS r
    LEFT JOIN counted AS h
      ON h.part = r.part AND h.k_0 = r.k_0 AND h.k_1 = r.k_1
    LEFT JOIN counted AS q
      ON q.part = r.part AND q.k_0 = r.q_0 AND q.k_1 = r.q_1
    LEFT JOIN elsewhere AS e
      ON e.part = r.part AND e.k_0 = r.q_0 AND e.k_1 = r.q_1
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
    FROM (
      SELECT
        b.number AS number,
        b.slack AS slack,
        CAST(SUM(b.cost) OVER (PARTITION BY b.part, b.secret, b.q_0, b.q_1 ORDER BY b.number) AS BIGINT) AS cost
      FROM borne AS b
      JOIN (
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
      ) AS s
        ON b.part = s.part AND b.secret = s.secret AND b.q_0 = s.q_0 AND b.q_1 = s.q_1
    ) AS o
    WHERE
      o.number = c.number AND o.cost > o.slack
  );
