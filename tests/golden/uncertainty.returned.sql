-- returned_1: what returns together
SELECT
  x.tid AS tid,
  x.back AS code
FROM extended AS x
JOIN fit AS f
  ON f.number = x.number
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM (
      SELECT
        t.number AS number,
        t.room AS room,
        ROW_NUMBER() OVER (PARTITION BY t.part, t.k_0, t.k_1 ORDER BY t.number) AS turn
      FROM trial AS t
      JOIN fit AS f
        ON f.number = t.number
    ) AS r
    WHERE
      r.number = x.number AND r.turn > 1 AND r.turn > r.room
  );
