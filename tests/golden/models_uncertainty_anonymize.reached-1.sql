-- reached_1: who else holds it
SELECT
  n.tid AS tid,
  n.part AS part,
  n.last AS last,
  n.k_0 AS k_0,
  n.k_1 AS k_1
FROM (
  SELECT
    a.tid AS tid,
    a.part AS part,
    a.code AS last,
    CAST(0 + a.code * 1 AS BIGINT) AS k_0,
    CAST(0 AS BIGINT) AS k_1
  FROM apart AS a
) AS n
WHERE
  EXISTS(
    SELECT
      1
    FROM counted AS c
    WHERE
      c.telling = 0 AND (
        c.part = n.part AND c.k_0 = n.k_0 AND c.k_1 = n.k_1
      )
  );
