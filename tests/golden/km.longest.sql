-- longest_3: there are no larger itemsets than that
SELECT
  COALESCE(MAX(t.held), 0) AS longest
FROM (
  SELECT
    g.tid AS tid,
    COUNT(*) AS held
  FROM general_3 AS g
  GROUP BY
    g.tid
) AS t;
