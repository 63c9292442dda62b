-- totals: what there is to hide
SELECT
  COUNT(CASE WHEN c.sensitive = 0 THEN 1 END) AS harmless,
  CAST(COALESCE(SUM(c.sensitive * c.support), 0) AS BIGINT) AS occurrences
FROM coded AS c;
