-- heir_2: those beside, those alone and the rest part ways
SELECT
  m.tid AS tid,
  m.fall AS fall,
  m.up AS up,
  m.down AS down,
  CAST(DENSE_RANK() OVER (ORDER BY m.part, m.kind) AS INT) AS part
FROM (
  SELECT
    l.tid AS tid,
    l.part AS part,
    t.fall AS fall,
    f.up AS up,
    f.down AS down,
    COALESCE(t.kind, 0) AS kind
  FROM (
    SELECT DISTINCT
      l.tid AS tid,
      l.part AS part
    FROM load_2 AS l
    JOIN choice_2 AS c
      ON c.part = l.part
  ) AS l
  LEFT JOIN taker_2 AS t
    ON t.tid = l.tid
  LEFT JOIN fall AS f
    ON f.id = t.fall
) AS m;
