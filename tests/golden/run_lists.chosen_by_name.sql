-- chosen_private: the items of --private
SELECT
  n.name AS name,
  i.item AS item
FROM named AS n
LEFT JOIN item AS i
  ON CAST(i.name AS TEXT) = n.name
ORDER BY
  name;
