-- names: for the head of the trail
SELECT
  l.label AS label
FROM (
  SELECT
    CAST(i.name AS TEXT) AS label
  FROM item AS i
  JOIN private_item AS r
    ON r.item = i.item
) AS l;
