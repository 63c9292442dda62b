-- legitimate: what victims can take too much support from
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY m.size, m.itemset) - 1 AS INT) AS number,
  m.itemset AS itemset,
  m.size AS size,
  m.support AS support
FROM frequent_itemset AS m
JOIN (
  SELECT
    e.itemset AS itemset,
    CAST(SUM(q.transactions) AS BIGINT) AS harm
  FROM (
    SELECT DISTINCT
      f.itemset AS itemset,
      r.pattern AS pattern
    FROM frequent_member AS f
    JOIN restricted AS r
      ON r.item = f.item
  ) AS e
  JOIN quota AS q
    ON q.pattern = e.pattern
  GROUP BY
    e.itemset
) AS h
  ON h.itemset = m.itemset
WHERE
  h.harm > m.support - 200
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM frequent_restrictive AS g
    WHERE
      g.itemset = m.itemset
  );
