-- exposed_3: the transactions that an attacker could single out
SELECT
  CAST((
    h.tid - h.tid % 64
  ) / 64 AS INT) AS block,
  BITSTRING_AGG(CAST(h.tid % 64 AS INT), 0, 63) AS bits
FROM (
  SELECT DISTINCT
    h.tid AS tid
  FROM cohort_2 AS h
  JOIN extension AS x
    ON x.tid = h.tid
  JOIN counted_3 AS c
    ON c.parent = h.id AND c.item_3 = x.item
  WHERE
    c.support < 20
) AS h
GROUP BY
  CAST((
    h.tid - h.tid % 64
  ) / 64 AS INT);
