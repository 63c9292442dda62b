-- exposed_2: the transactions that an attacker could single out
SELECT
  CAST((
    h.tid - h.tid % 64
  ) / 64 AS INT) AS block,
  BITSTRING_AGG(CAST(h.tid % 64 AS INT), 0, 63) AS bits
FROM (
  SELECT DISTINCT
    h.tid AS tid
  FROM (
    SELECT
      CAST(item AS BIGINT) AS id,
      tid
    FROM extension
  ) AS h
  JOIN extension AS x
    ON x.tid = h.tid
  JOIN counted_2 AS c
    ON c.parent = h.id AND c.item_2 = x.item
  WHERE
    c.support < 20
) AS h
GROUP BY
  CAST((
    h.tid - h.tid % 64
  ) / 64 AS INT);
