-- commonness: most transactions share the most frequent items
SELECT
  c.code AS code,
  c.sensitive AS sensitive,
  c.support AS support,
  CAST(ROW_NUMBER() OVER (ORDER BY c.support DESC, c.code) - 1 AS BIGINT) AS place
FROM coded AS c;
