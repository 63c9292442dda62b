-- held: what each transaction gains by an expansion, and shows by it
SELECT
  CAST((
    h.id - h.id % 837
  ) / 837 AS INT) AS tid,
  CAST(h.id % 837 AS INT) AS branch,
  h.up AS up,
  h.gain AS gain,
  h.shape AS shape
FROM (
  SELECT
    CAST(o.tid AS BIGINT) * 837 + d.branch AS id,
    MAX(d.up) AS up,
    CAST(SUM(d.gain) AS BIGINT) AS gain,
    BITSTRING_AGG(CAST(s.slot AS INT), 0, 499) AS shape
  FROM occurrence AS o
  JOIN descent AS d
    ON d.item = o.item
  JOIN slot AS s
    ON s.branch = d.branch AND s.child = d.child
  GROUP BY
    CAST(o.tid AS BIGINT) * 837 + d.branch
) AS h;
