-- place: to read a block of bits one by one
SELECT
  r.id AS id,
  CAST((
    r.tid - r.tid % 64
  ) / 64 AS INT) AS block,
  BITSTRING_AGG(CAST(r.tid % 64 AS INT), 0, 63) AS bits
FROM (
  SELECT
    tid AS id,
    tid
  FROM basket
  WHERE
    tid < 64
) AS r
GROUP BY
  r.id,
  CAST((
    r.tid - r.tid % 64
  ) / 64 AS INT);
