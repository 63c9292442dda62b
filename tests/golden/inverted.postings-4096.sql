-- posting_1: the index
SELECT
  r.id AS id,
  CAST((
    r.tid - r.tid % 4096
  ) / 4096 AS INT) AS block,
  BITSTRING_AGG(CAST(r.tid % 4096 AS INT), 0, 4095) AS bits
FROM (
  SELECT
    CAST(item AS BIGINT) AS id,
    tid
  FROM extension
) AS r
GROUP BY
  r.id,
  CAST((
    r.tid - r.tid % 4096
  ) / 4096 AS INT);
