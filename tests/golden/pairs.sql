-- pairs
-- pair: each row is a sensitive item and another, with their supports on both sides
SELECT
  p.code AS code,
  p.item AS item,
  CAST(SUM(p.before) AS BIGINT) AS before,
  CAST(SUM(p.after) AS BIGINT) AS after
FROM (
  SELECT
    b.code AS code,
    b.item AS item,
    b.support AS before,
    0 AS after
  FROM (
    SELECT
      c.code AS code,
      i.item AS item,
      COUNT(*) * 1000000 AS support
    FROM (
      SELECT
        c.tid AS tid,
        c.code AS code
      FROM clash AS c
      WHERE
        c.code >= 0
    ) AS c
    JOIN plain AS i
      ON i.tid = c.tid
    GROUP BY
      c.code,
      i.item
  ) AS b
  UNION ALL
  SELECT
    a.code AS code,
    a.item AS item,
    0 AS before,
    a.support AS after
  FROM (
    SELECT
      e.code AS code,
      q.item AS item,
      CAST(e.held AS BIGINT) * q.held * 1000000 // n.size AS support
    FROM held AS e
    JOIN (
      SELECT
        g.number AS number,
        i.item AS item,
        COUNT(*) AS held
      FROM plain AS i
      JOIN grouping AS g
        ON g.tid = i.tid
      GROUP BY
        g.number,
        i.item
    ) AS q
      ON q.number = e.number
    JOIN (
      SELECT
        g.number AS number,
        COUNT(*) AS size
      FROM grouping AS g
      GROUP BY
        g.number
    ) AS n
      ON n.number = e.number
  ) AS a
) AS p
GROUP BY
  p.code,
  p.item;

-- pairs-again
-- pair: each row is a sensitive item and another, with their supports on both sides
SELECT
  p.code AS code,
  p.item AS item,
  CAST(SUM(p.before) AS BIGINT) AS before,
  CAST(SUM(p.after) AS BIGINT) AS after
FROM (
  SELECT
    b.code AS code,
    b.item AS item,
    b.support AS before,
    0 AS after
  FROM (
    SELECT
      p.code AS code,
      p.item AS item,
      p.before AS support
    FROM pair AS p
  ) AS b
  UNION ALL
  SELECT
    a.code AS code,
    a.item AS item,
    0 AS before,
    a.support AS after
  FROM (
    SELECT
      p.code AS code,
      p.item AS item,
      p.before AS support
    FROM pair AS p
  ) AS a
) AS p
GROUP BY
  p.code,
  p.item;

-- divergence
-- divergence: sums how far the distribution of the pairs is from the original one
SELECT
  CAST(COALESCE(
    SUM(
      CAST(CASE
        WHEN s.x > 0
        THEN s.x * (
          LN(2) + LN(s.x) + LN(s.y_all) - LN(s.x * s.y_all + s.y * s.x_all)
        )
        ELSE 0
      END AS BIGINT)
    ),
    0
  ) AS BIGINT) AS before,
  CAST(COALESCE(
    SUM(
      CAST(CASE
        WHEN s.y > 0
        THEN s.y * (
          LN(2) + LN(s.y) + LN(s.x_all) - LN(s.x * s.y_all + s.y * s.x_all)
        )
        ELSE 0
      END AS BIGINT)
    ),
    0
  ) AS BIGINT) AS after,
  CAST(COALESCE(MAX(s.x_all), 0) AS BIGINT) AS all_before,
  CAST(COALESCE(MAX(s.y_all), 0) AS BIGINT) AS all_after
FROM (
  SELECT
    CAST(r.before AS DOUBLE) AS x,
    CAST(r.after AS DOUBLE) AS y,
    CAST(t.before AS DOUBLE) AS x_all,
    CAST(t.after AS DOUBLE) AS y_all
  FROM pair AS r
  CROSS JOIN (
    SELECT
      CAST(SUM(a.before) AS BIGINT) AS before,
      CAST(SUM(a.after) AS BIGINT) AS after
    FROM pair AS a
  ) AS t
  WHERE
    t.before > 0 AND t.after > 0
) AS s;
