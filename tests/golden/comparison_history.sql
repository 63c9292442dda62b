-- known
-- public_item: each row is an item that an attacker may know
SELECT
  i.item AS item
FROM item AS i
JOIN history_node AS n
  ON n.node = i.name % 2654435761
LEFT JOIN (
  SELECT
    CAST(o.name AS TEXT) AS label
  FROM item AS o
  JOIN private_item AS r
    ON r.item = o.item
) AS l
  ON l.label = n.label AND n.level = 0
WHERE
  l.label IS NULL
ORDER BY
  item;

-- known-public
-- public_item: each row is an item that an attacker may know
SELECT
  i.item AS item
FROM item AS i
JOIN history_node AS n
  ON n.node = i.name % 2654435761
LEFT JOIN (
  SELECT
    CAST(o.name AS TEXT) AS label
  FROM item AS o
  JOIN public_item AS r
    ON r.item = o.item
) AS l
  ON l.label = n.label AND n.level = 0
WHERE
  n.level > 0 OR NOT l.label IS NULL
ORDER BY
  item;

-- nobody_hides
-- private_item: holds no item: only singled-out transactions are counted
SELECT
  i.item AS item
FROM item AS i
WHERE
  FALSE;
