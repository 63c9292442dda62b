-- posting: the inverted index: one bit per transaction that holds the item
SELECT
  r.id AS id,
  CAST((
    r.tid - r.tid % 64
  ) / 64 AS INT) AS block,
  BITSTRING_AGG(CAST(r.tid % 64 AS INT), 0, 63) AS bits
FROM (
  SELECT
    o.item AS id,
    o.tid AS tid
  FROM occurrence AS o
  JOIN (
    SELECT DISTINCT
      item
    FROM restricted
  ) AS r
    ON r.item = o.item
) AS r
GROUP BY
  r.id,
  CAST((
    r.tid - r.tid % 64
  ) / 64 AS INT);
