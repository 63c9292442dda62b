-- chosen_by
-- chosen_private: lists the items that the condition of --private chooses
SELECT
  item
FROM item
WHERE
  support > 10
ORDER BY
  item;

-- names
-- names: lists the names of all items, to suggest one for a name that the data lacks
SELECT
  CAST(i.name AS TEXT) AS name
FROM item AS i
ORDER BY
  i.item;

-- chosen_by_name
-- chosen_private: lists the names of --private, each with its item, or NULL if no item has the name
SELECT
  n.name AS name,
  i.item AS item
FROM named AS n
LEFT JOIN item AS i
  ON CAST(i.name AS TEXT) = n.name
ORDER BY
  name;

-- all_but_private
-- public_item: each row is an item that is not private, and so may be known to an attacker
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

-- leaving
-- leaving_item: each row is an item that no node stands for
SELECT
  i.item AS item
FROM item AS i
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM public_item AS r
    WHERE
      r.item = i.item
  );

-- told_labels
-- names: lists the names of these items, for the head of the trail
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
-- named: lists the names of these items, for a message
SELECT
  CAST(name AS TEXT) AS name
FROM item
WHERE
  item IN (3, 5)
ORDER BY
  item;

-- public
-- public: lists the public items, each of which could be suppressed
SELECT
  item
FROM public_item
ORDER BY
  item;

-- supports
-- supports: lists the supports: the cost of suppressing an item everywhere
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
-- emptied: counts the transactions that lose all their items
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
