-- lost_1: what stays suppressed
SELECT
  l.tid AS tid,
  l.code AS code,
  l.round AS round
FROM lost_0 AS l
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM returned_1 AS b
    WHERE
      b.tid = l.tid AND b.code = l.code
  );
