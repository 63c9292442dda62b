-- unsafe: rules above rho, and how many occurrences stop them
SELECT
  u.part AS part,
  u.secret AS secret,
  u.support - CAST((
    u.known * 7 - u.known * 7 % 10
  ) / 10 AS BIGINT) AS of_secret,
  CAST((
    u.support * 10 - u.known * 7 + 3 - 1 - (
      u.support * 10 - u.known * 7 + 3 - 1
    ) % 3
  ) / 3 AS BIGINT) AS of_known,
  u.k_0 AS k_0,
  u.k_1 AS k_1
FROM (
  SELECT
    x.part AS part,
    x.secret AS secret,
    x.support AS support,
    q.support + COALESCE(e.support, 0) AS known,
    x.k_0 AS k_0,
    x.k_1 AS k_1,
    x.q_0 AS q_0,
    x.q_1 AS q_1
  FROM (
    SELECT
      c.part AS part,
      c.support AS support,
      CASE f.place WHEN 1 THEN a.p_1 WHEN 2 THEN a.p_2 WHEN 3 THEN a.p_3 END AS secret,
      c.k_0 AS k_0,
      c.k_1 AS k_1,
      a.p_1 * f.c_0_1 + a.p_2 * f.c_0_2 + a.p_3 * f.c_0_3 AS q_0,
      a.p_1 * f.c_1_1 + a.p_2 * f.c_1_2 + a.p_3 * f.c_1_3 AS q_1
    FROM counted AS c
    JOIN arranged AS a
      ON a.tid = CAST((
        c.example - c.example % 8
      ) / 8 AS BIGINT)
    JOIN facet AS f
      ON f.mask = c.example % 8 AND f.place > a.known
    WHERE
      c.telling = 1 AND a.held >= 2
  ) AS x
  JOIN counted AS q
    ON q.part = x.part AND q.k_0 = x.q_0 AND q.k_1 = x.q_1
  LEFT JOIN elsewhere AS e
    ON e.part = q.part AND e.k_0 = q.k_0 AND e.k_1 = q.k_1
) AS u
WHERE
  u.support * 10 > 7 * u.known;
