-- branch: the nodes that can be expanded, in the order of their names
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY l.node) - 1 AS INT) AS branch,
  l.node AS node,
  n.leaves AS leaves
FROM (
  SELECT DISTINCT
    c.node AS node
  FROM (
    SELECT
      p.item AS item,
      MIN(p.node) AS node
    FROM path AS p
    JOIN node AS n
      ON n.node = p.node
    WHERE
      n.leaves > 1
    GROUP BY
      p.item,
      n.leaves
  ) AS c
) AS l
JOIN node AS n
  ON n.node = l.node;
