-- items_changed: what the release does not name any more
SELECT
  COUNT(CASE WHEN after = 0 THEN 1 END) AS gone,
  CAST(COALESCE(SUM(CASE WHEN after = 0 THEN before END), 0) AS BIGINT) AS gone_support,
  COUNT(CASE WHEN before = 0 THEN 1 END) AS new
FROM matched_item;
