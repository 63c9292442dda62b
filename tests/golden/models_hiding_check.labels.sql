-- labels: names that look like one that neither holds
SELECT
  i.label AS name
FROM check_item AS i
ORDER BY
  name;
