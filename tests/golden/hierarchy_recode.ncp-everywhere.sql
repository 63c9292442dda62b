-- ncp: what is lost per item
SELECT
  h.item AS item,
  CAST(SUM(h.held) AS BIGINT) AS held,
  CAST(SUM(CASE WHEN n.leaves > 1 THEN h.held * n.leaves ELSE 0 END) AS BIGINT) AS cost
FROM (
  SELECT
    r.item AS item,
    r.node AS node,
    i.support AS held
  FROM recoded_item AS r
  JOIN item AS i
    ON i.item = r.item
) AS h
JOIN node AS n
  ON n.node = h.node
GROUP BY
  h.item
ORDER BY
  item;
