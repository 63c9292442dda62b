-- check_bound_2: private items that are suspect in all subsets
SELECT
  l.id AS id,
  s.secret AS secret,
  t.support AS support,
  MIN(s.hits) AS hits
FROM check_link_2 AS l
JOIN check_set_2 AS t
  ON t.id = l.id
JOIN check_suspect_1 AS s
  ON s.id = l.subset
WHERE
  t.support >= 20
GROUP BY
  l.id,
  s.secret,
  t.support
HAVING
  COUNT(*) = 2;
