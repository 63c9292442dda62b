-- mined_set: the frequent itemsets of the renamed data
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY f.size, f.source) - 1 AS INT) AS id,
  CAST(f.size AS INT) AS size,
  f.source AS source,
  f.support AS support,
  CAST((
    f.doubled - f.doubled % 19670
  ) / 19670 AS BIGINT) AS nano
FROM (
  SELECT
    e.size AS size,
    e.source AS source,
    e.support AS support,
    2 * e.support * 1000000000 + 9835 AS doubled
  FROM (
    SELECT
      1 AS size,
      f.id AS source,
      f.support AS support
    FROM frequent_1 AS f
    UNION ALL
    SELECT
      3 AS size,
      f.id AS source,
      f.support AS support
    FROM frequent_3 AS f
  ) AS e
) AS f;
