-- reached_2: who else holds it
SELECT
  n.tid AS tid,
  n.part AS part,
  n.last AS last,
  n.k_0 AS k_0,
  n.k_1 AS k_1
FROM (
  SELECT
    r.tid AS tid,
    r.part AS part,
    a.code AS last,
    CAST(r.k_0 + a.code * 2147483648 AS BIGINT) AS k_0,
    CAST(r.k_1 AS BIGINT) AS k_1
  FROM reached_1 AS r
  JOIN apart AS a
    ON a.tid = r.tid AND a.code > r.last
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
