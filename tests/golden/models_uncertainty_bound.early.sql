-- early: whoever shares much shares something rare
SELECT
  n.tid AS tid,
  n.code AS code,
  n.support AS support,
  n.place AS place,
  CASE WHEN n.turn <= n.secrets + 1 THEN 1 ELSE 0 END AS early
FROM (
  SELECT
    o.tid AS tid,
    o.code AS code,
    c.support AS support,
    c.place AS place,
    ROW_NUMBER() OVER (PARTITION BY o.tid ORDER BY c.place DESC) AS turn,
    COUNT(*) OVER (PARTITION BY o.tid) AS held,
    CAST(SUM(c.sensitive) OVER (PARTITION BY o.tid) AS BIGINT) AS secrets
  FROM original AS o
  JOIN commonness AS c
    ON c.code = o.code
) AS n
WHERE
  n.secrets > 0 AND n.held > 1;
