-- gone: what goes from transactions too long to list the subsets of
SELECT
  o.tid AS tid,
  o.code AS code,
  0 AS round
FROM original AS o
WHERE
  o.code > 40
  AND EXISTS(
    SELECT
      1
    FROM original AS h
    JOIN extent AS e
      ON e.tid = h.tid AND e.held > 3
    WHERE
      h.code = o.code
  );
