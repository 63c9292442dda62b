-- exposed_1: the transactions that an attacker could single out
SELECT
  CAST((
    h.tid - h.tid % 64
  ) / 64 AS INT) AS block,
  BITSTRING_AGG(CAST(h.tid % 64 AS INT), 0, 63) AS bits
FROM (
  SELECT DISTINCT
    o.tid AS tid
  FROM occurrence AS o
  JOIN judged_1 AS j
    ON j.id = o.item
  WHERE
    j.verdict = 1
) AS h
GROUP BY
  CAST((
    h.tid - h.tid % 64
  ) / 64 AS INT);
