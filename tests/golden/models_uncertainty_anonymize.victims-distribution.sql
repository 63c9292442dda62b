-- gone: what each of them loses
SELECT
  n.tid AS tid,
  n.code AS code,
  2 AS round
FROM (
  SELECT
    v.tid AS tid,
    v.code AS code,
    ROW_NUMBER() OVER (
      PARTITION BY v.tid
      ORDER BY v.stopped * c.remaining * (
        LN(c.remaining) - LN(c.support) - LN(c.all_remaining) + LN(c.all_support)
      ) DESC, v.code
    ) AS turn
  FROM (
    SELECT
      s.tid AS tid,
      s.code AS code,
      COUNT(*) AS rules,
      CAST(SUM((
        27720 - 27720 % s.need
      ) / s.need) AS BIGINT) AS stopped
    FROM (
      SELECT
        t.tid AS tid,
        CASE f.place WHEN 1 THEN a.p_1 WHEN 2 THEN a.p_2 WHEN 3 THEN a.p_3 END AS code,
        CASE
          WHEN t.secret = CASE f.place WHEN 1 THEN a.p_1 WHEN 2 THEN a.p_2 WHEN 3 THEN a.p_3 END
          THEN t.of_secret
          ELSE t.of_known
        END AS need
      FROM target AS t
      JOIN arranged AS a
        ON a.tid = t.tid
      JOIN facet AS f
        ON f.mask = t.mask
    ) AS s
    GROUP BY
      s.tid,
      s.code
  ) AS v
  JOIN leftover AS c
    ON c.code = v.code
) AS n
WHERE
  n.turn = 1;
