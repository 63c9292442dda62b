-- suppressed: what the release leaves out
SELECT
  g.tid AS tid,
  c.item AS item,
  g.round AS round
FROM gone AS g
JOIN coded AS c
  ON c.code = g.code
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM returned_1 AS b
    WHERE
      b.tid = g.tid AND b.code = g.code
  );
