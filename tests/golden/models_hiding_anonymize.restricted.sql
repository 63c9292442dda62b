-- restricted: the items of each restrictive pattern
SELECT
  CAST(v.pattern AS INT) AS pattern,
  CAST(v.item AS INT) AS item
FROM (VALUES
  (0, 3),
  (0, 7),
  (1, 7)) AS v(pattern, item);
