-- check_named: the items of --patterns
SELECT
  n.name AS name,
  i.item AS item
FROM named AS n
JOIN check_item AS i
  ON i.label = n.name
ORDER BY
  name;
