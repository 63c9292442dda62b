-- check_was: which transactions hold which item
WITH known AS (
  SELECT
    g.key AS key,
    t.tid AS tid
  FROM (
    SELECT DISTINCT
      c.key AS key
    FROM original AS c
  ) AS g
  JOIN check_key AS t
    ON t.label = CAST(g.key AS TEXT)
), named AS (
  SELECT
    g.name AS name,
    i.item AS item
  FROM (
    SELECT DISTINCT
      c.name AS name
    FROM original AS c
  ) AS g
  JOIN check_item AS i
    ON i.label = CAST(g.name AS TEXT)
)
SELECT
  CAST(n.item AS BIGINT) * 2654435761 + CAST((
    k.tid - k.tid % 63
  ) / 63 AS BIGINT) AS cell,
  BIT_OR(CAST(1 AS BIGINT) << CAST(k.tid % 63 AS INT)) AS bits
FROM original AS c
JOIN known AS k
  ON k.key = c.key
JOIN named AS n
  ON n.name = c.name
GROUP BY
  CAST(n.item AS BIGINT) * 2654435761 + CAST((
    k.tid - k.tid % 63
  ) / 63 AS BIGINT);
