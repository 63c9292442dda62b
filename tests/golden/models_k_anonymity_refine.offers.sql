-- offer_2: what each node would save, transaction by transaction
SELECT
  g.tid AS tid,
  l.part AS part,
  g.fall AS fall,
  g.gain AS gain,
  CASE WHEN l.items > g.items THEN 1 ELSE 2 END AS kind
FROM (
  SELECT
    CAST((
      h.id - h.id % 20000
    ) / 20000 AS INT) AS tid,
    CAST(h.id % 20000 AS INT) AS fall,
    h.up AS up,
    h.gain AS gain,
    h.items AS items
  FROM (
    SELECT
      CAST(c.tid AS BIGINT) * 20000 + f.id AS id,
      MAX(f.up) AS up,
      CAST(SUM(f.gain) AS BIGINT) AS gain,
      COUNT(*) AS items
    FROM cell_2 AS c
    JOIN fall_of AS f
      ON f.item = c.item AND f.up = c.branch
    GROUP BY
      CAST(c.tid AS BIGINT) * 20000 + f.id
  ) AS h
) AS g
JOIN load_2 AS l
  ON l.id = CAST(g.tid AS BIGINT) * 837 + g.up;
