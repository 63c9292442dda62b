-- found_posting_1: the inverted index: one bit per transaction
SELECT
  r.id AS id,
  CAST((
    r.tid - r.tid % 4096
  ) / 4096 AS INT) AS block,
  BITSTRING_AGG(CAST(r.tid % 4096 AS INT), 0, 4095) AS bits
FROM (
  SELECT
    id,
    spot AS tid
  FROM found_cohort_1
) AS r
GROUP BY
  r.id,
  CAST((
    r.tid - r.tid % 4096
  ) / 4096 AS INT);
