-- taker_2: a class keeps k, and so does the rest
SELECT
  w.tid AS tid,
  w.part AS part,
  w.fall AS fall,
  w.kind AS kind
FROM (
  SELECT
    v.tid AS tid,
    v.part AS part,
    v.fall AS fall,
    v.kind AS kind,
    v.wanted AS wanted,
    v.bound AS bound,
    ROW_NUMBER() OVER (PARTITION BY v.part, v.bound ORDER BY v.gain, v.tid) AS place
  FROM (
    SELECT
      u.tid AS tid,
      u.part AS part,
      u.fall AS fall,
      u.kind AS kind,
      u.gain AS gain,
      u.wanted AS wanted,
      CASE WHEN u.place <= u.takers - 20 THEN 0 ELSE 1 END AS bound
    FROM (
      SELECT
        o.tid AS tid,
        o.part AS part,
        o.fall AS fall,
        o.kind AS kind,
        o.gain AS gain,
        c.wanted AS wanted,
        ROW_NUMBER() OVER (PARTITION BY o.part, o.kind ORDER BY o.gain, o.tid) AS place,
        COUNT(*) OVER (PARTITION BY o.part, o.kind) AS takers
      FROM offer_2 AS o
      JOIN choice_2 AS c
        ON c.part = o.part AND c.fall = o.fall
      WHERE
        CASE WHEN o.kind = 1 THEN c.beside ELSE c.alone END = 1
    ) AS u
  ) AS v
) AS w
WHERE
  w.bound = 1 OR w.place > w.wanted;
