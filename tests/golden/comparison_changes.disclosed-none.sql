-- disclosed: what was to be hidden, and is found nevertheless
SELECT
  CAST(SUM(l.itemsets) AS BIGINT) AS itemsets
FROM (
  SELECT
    0 AS itemsets
) AS l;
