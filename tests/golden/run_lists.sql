-- chosen_by
-- chosen_private: the items of --private
SELECT
  item
FROM item
WHERE
  support > 10
ORDER BY
  item;

-- names
-- names: names that look like one that the data lacks
SELECT
  CAST(i.name AS TEXT) AS name
FROM item AS i
ORDER BY
  i.item;

-- chosen_by_name
-- chosen_private: the items of --private
SELECT
  n.name AS name,
  i.item AS item
FROM named AS n
LEFT JOIN item AS i
  ON CAST(i.name AS TEXT) = n.name
ORDER BY
  name;

-- all_but_private
-- public_item: what is not private can be known
SELECT
  i.item AS item
FROM item AS i
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM private_item AS r
    WHERE
      r.item = i.item
  )
ORDER BY
  item;

-- told_labels
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

-- named_numbers
-- named: names for a message
SELECT
  CAST(name AS TEXT) AS name
FROM item
WHERE
  item IN (3, 5)
ORDER BY
  item;

-- public
-- public: all that could be suppressed
SELECT
  item
FROM public_item
ORDER BY
  item;

-- supports
-- supports: what the loss of an item costs
SELECT
  support
FROM item
ORDER BY
  item;

-- roles
SELECT
  CAST(i.name AS TEXT) AS label,
  0 AS private
FROM item AS i
JOIN public_item AS r
  ON r.item = i.item
UNION
SELECT
  CAST(i.name AS TEXT) AS label,
  1 AS private
FROM item AS i
JOIN private_item AS r
  ON r.item = i.item;

-- emptied
-- emptied: what is left of the transactions
SELECT
  COUNT(*) AS emptied
FROM (
  SELECT
    o.tid AS tid
  FROM occurrence AS o
  LEFT JOIN suppressed_item AS s
    ON s.item = o.item
  GROUP BY
    o.tid
  HAVING
    COUNT(*) = COUNT(s.item)
) AS bare;
