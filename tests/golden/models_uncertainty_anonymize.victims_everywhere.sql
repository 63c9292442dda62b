-- gone: what goes everywhere
SELECT
  o.tid AS tid,
  o.code AS code,
  2 AS round
FROM original AS o
JOIN (
  SELECT
    r.code AS code
  FROM (
    SELECT
      b.code AS code,
      n.rules AS rules,
      ROW_NUMBER() OVER (
        PARTITION BY b.part, b.k_0, b.k_1, b.secret
        ORDER BY (
          n.rules * 1000000 - n.rules * 1000000 % c.support
        ) / c.support DESC, b.code
      ) AS turn
    FROM blamed AS b
    JOIN (
      SELECT
        m.code AS code,
        COUNT(*) AS rules
      FROM blamed AS m
      GROUP BY
        m.code
    ) AS n
      ON n.code = b.code
    JOIN coded AS c
      ON c.code = b.code
  ) AS r
  GROUP BY
    r.code,
    r.rules
  HAVING
    2 * COUNT(CASE WHEN r.turn = 1 THEN 1 END) >= r.rules
) AS chosen
  ON chosen.code = o.code;
