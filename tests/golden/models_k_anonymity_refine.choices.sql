-- choice_2: the node that saves most
SELECT
  r.part AS part,
  r.fall AS fall,
  r.beside AS beside,
  r.alone AS alone,
  r.wanted AS wanted
FROM (
  SELECT
    w.part AS part,
    w.fall AS fall,
    w.beside AS beside,
    w.alone AS alone,
    w.wanted AS wanted,
    ROW_NUMBER() OVER (
      PARTITION BY w.part
      ORDER BY w.gain - (
        w.gain - w.gain % w.takers
      ) / w.takers * w.wanted DESC, w.up, w.down, w.beside, w.alone
    ) AS place
  FROM (
    SELECT
      o.part AS part,
      o.fall AS fall,
      o.up AS up,
      o.down AS down,
      o.beside AS beside,
      o.alone AS alone,
      o.takers AS takers,
      o.gain AS gain,
      CASE
        WHEN o.transactions = o.takers OR o.transactions - o.takers >= 20
        THEN 0
        ELSE 20 - o.transactions + o.takers
      END AS wanted,
      o.takers - 20 * (
        o.beside + o.alone
      ) AS spare
    FROM (
      WITH offered AS (
        SELECT
          o.part AS part,
          o.fall AS fall,
          COUNT(CASE WHEN o.kind = 1 THEN 1 END) AS beside,
          COUNT(CASE WHEN o.kind = 2 THEN 1 END) AS alone,
          CAST(SUM(CASE WHEN o.kind = 1 THEN o.gain ELSE 0 END) AS BIGINT) AS gain_beside,
          CAST(SUM(CASE WHEN o.kind = 2 THEN o.gain ELSE 0 END) AS BIGINT) AS gain_alone
        FROM offer_2 AS o
        GROUP BY
          o.part,
          o.fall
        HAVING
          COUNT(*) >= 20
      ), sized AS (
        SELECT
          o.part AS part,
          o.fall AS fall,
          f.up AS up,
          f.down AS down,
          o.beside AS beside,
          o.alone AS alone,
          o.gain_beside AS gain_beside,
          o.gain_alone AS gain_alone,
          l.transactions AS transactions
        FROM offered AS o
        JOIN fall AS f
          ON f.id = o.fall
        JOIN (
          SELECT
            part,
            branch,
            COUNT(*) AS transactions
          FROM load_2
          GROUP BY
            part,
            branch
        ) AS l
          ON l.part = o.part AND l.branch = f.up
      )
      SELECT
        s.part AS part,
        s.fall AS fall,
        s.up AS up,
        s.down AS down,
        1 AS beside,
        0 AS alone,
        s.beside AS takers,
        s.gain_beside AS gain,
        s.transactions AS transactions
      FROM sized AS s
      WHERE
        s.beside >= 20
      UNION ALL
      SELECT
        s.part AS part,
        s.fall AS fall,
        s.up AS up,
        s.down AS down,
        0 AS beside,
        1 AS alone,
        s.alone AS takers,
        s.gain_alone AS gain,
        s.transactions AS transactions
      FROM sized AS s
      WHERE
        s.alone >= 20
      UNION ALL
      SELECT
        s.part AS part,
        s.fall AS fall,
        s.up AS up,
        s.down AS down,
        1 AS beside,
        1 AS alone,
        s.beside + s.alone AS takers,
        s.gain_beside + s.gain_alone AS gain,
        s.transactions AS transactions
      FROM sized AS s
      WHERE
        s.beside >= 20 AND s.alone >= 20
    ) AS o
  ) AS w
  WHERE
    w.spare >= w.wanted
) AS r
WHERE
  r.place = 1;
