-- named_leaves: names that look like one that it lacks
SELECT DISTINCT
  g.name AS name
FROM given_hierarchy AS g
WHERE
  NOT g.name IS NULL
ORDER BY
  name;
