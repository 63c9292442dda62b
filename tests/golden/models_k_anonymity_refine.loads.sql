-- load_2: who has other items below a node knows it stays
SELECT
  l.id AS id,
  CAST((
    l.id - l.id % 837
  ) / 837 AS INT) AS tid,
  CAST(l.id % 837 AS INT) AS branch,
  l.part AS part,
  l.items AS items
FROM (
  SELECT
    CAST(c.tid AS BIGINT) * 837 + c.branch AS id,
    MAX(c.part) AS part,
    COUNT(*) AS items
  FROM cell_2 AS c
  GROUP BY
    CAST(c.tid AS BIGINT) * 837 + c.branch
) AS l;
