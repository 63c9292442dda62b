-- faults: an itemset has one frequency
SELECT
  COUNT(CASE WHEN p.items IS NULL OR p.frequency IS NULL THEN 1 END) AS incomplete,
  COUNT(p.items) - COUNT(DISTINCT p.items) AS repeated
FROM published_set AS p;
