-- matched_items
-- matched_item: each row is an item of the original or the release, matched by name
SELECT
  o.item AS item,
  CAST(o.name AS TEXT) AS label,
  o.support AS before,
  COALESCE(r.support, 0) AS after,
  r.item AS released
FROM run.main.item AS o
LEFT JOIN item AS r
  ON CAST(r.name AS TEXT) = CAST(o.name AS TEXT)
UNION ALL
SELECT
  CAST(1000 + ROW_NUMBER() OVER (ORDER BY r.item) - 1 AS INT) AS item,
  CAST(r.name AS TEXT) AS label,
  0 AS before,
  r.support AS after,
  r.item AS released
FROM item AS r
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM run.main.item AS o
    WHERE
      CAST(o.name AS TEXT) = CAST(r.name AS TEXT)
  );

-- matched_baskets
-- matched_basket: each row is a transaction that both hold, matched by key
SELECT
  o.tid AS tid,
  r.tid AS released
FROM run.main.basket AS o
JOIN basket AS r
  ON CAST(r.key AS TEXT) = CAST(o.key AS TEXT);

-- nodes_as_items-long
SELECT
  CAST("level" AS TEXT) || ' ' || CAST("it'em" AS TEXT) AS "it'em",
  "tid"
FROM run.main.source;

-- nodes_as_items-lists
SELECT
  LIST_TRANSFORM(
    LIST_ZIP("level", "it'em"),
    LAMBDA x : CAST(x[1] AS TEXT) || ' ' || CAST(x[2] AS TEXT)
  ) AS "it'em"
FROM run.main.source
ORDER BY
  "line";

-- private_nodes
-- private_item: each row is a private item that was published without generalization
SELECT
  i.item AS item
FROM item AS i
JOIN run.main.item AS o
  ON CAST(i.name AS TEXT) = '0 ' || CAST(o.name AS TEXT)
JOIN run.main.private_item AS r
  ON r.item = o.item
ORDER BY
  item;

-- unchanged_items
-- matched_item: each row is an item that the release publishes without a node
SELECT
  o.item AS item,
  i.item AS released
FROM run.main.item AS o
JOIN item AS i
  ON CAST(i.name AS TEXT) = '0 ' || CAST(o.name AS TEXT);

-- parts
-- private_item: each row is an item of the release that has this role in the original
SELECT
  m.released AS item
FROM matched_item AS m
JOIN run.main.private_item AS r
  ON r.item = m.item
WHERE
  NOT m.released IS NULL
ORDER BY
  item;

-- after
-- after: each row is an occurrence of the release, with the item's number in the original
SELECT
  o.tid AS tid,
  i.item AS item
FROM occurrence AS o
JOIN matched_item AS i
  ON i.released = o.item
ORDER BY
  tid,
  item;

-- secret
SELECT
  o.tid AS tid,
  o.item AS code
FROM after AS o
JOIN run.main.sensitive_item AS s
  ON s.item = o.item;

-- plain
SELECT
  o.tid AS tid,
  o.item AS item
FROM after AS o
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM run.main.sensitive_item AS s
    WHERE
      s.item = o.item
  );

-- counts_in_numbers
SELECT
  c.number AS number,
  i.item AS code,
  c.held AS held
FROM counted AS c
JOIN run.main.item AS i
  ON CAST(i.name AS TEXT) = CAST(c.name AS TEXT);

-- groups_in_numbers
SELECT DISTINCT
  b.tid AS tid,
  g.number AS number
FROM grouping AS g
JOIN basket AS b
  ON b.key = g.key;

-- occurrences_kept
-- occurrences_kept: counts the occurrences that the release keeps in their transaction
SELECT
  COUNT(*) AS kept
FROM run.main.occurrence AS o
JOIN matched_basket AS b
  ON b.tid = o.tid
JOIN after AS a
  ON a.tid = b.released AND a.item = o.item;

-- items_changed
-- items_changed: counts the items that the release lost, and the items that it added
SELECT
  COUNT(CASE WHEN after = 0 THEN 1 END) AS gone,
  CAST(COALESCE(SUM(CASE WHEN after = 0 THEN before END), 0) AS BIGINT) AS gone_support,
  COUNT(CASE WHEN before = 0 THEN 1 END) AS new
FROM matched_item;

-- items_lost_most
-- items_lost_most: lists the items that lost most occurrences
SELECT
  label,
  before,
  after
FROM matched_item
WHERE
  before > after
ORDER BY
  before - after DESC,
  item
LIMIT 10;

-- supports_changed
-- supports_changed: lists the support of every item in the original and in the release
SELECT
  before,
  after
FROM matched_item
ORDER BY
  item;

-- itemsets_kept-2
-- itemsets_kept_2: counts the itemsets that are frequent in the original and in the release
SELECT
  COUNT(*) AS kept
FROM run.main.frequent_2 AS o
JOIN frequent_2 AS r
  ON r.item_1 = o.item_1 AND r.item_2 = o.item_2;

-- itemsets_lost_most-2
-- itemsets_lost_most_2: lists the itemsets that lost most support
SELECT
  o.support AS before,
  CAST(r.support AS BIGINT) AS after,
  i1.label AS item_1,
  i2.label AS item_2
FROM run.main.frequent_2 AS o
LEFT JOIN frequent_2 AS r
  ON r.item_1 = o.item_1 AND r.item_2 = o.item_2
JOIN matched_item AS i1
  ON i1.item = o.item_1
JOIN matched_item AS i2
  ON i2.item = o.item_2
WHERE
  o.support - COALESCE(r.support, 0) > 0
ORDER BY
  o.support - COALESCE(r.support, 0) DESC,
  o.item_1,
  o.item_2
LIMIT 10;

-- itemsets_kept-3
-- itemsets_kept_3: counts the itemsets that are frequent in the original and in the release
SELECT
  COUNT(*) AS kept
FROM run.main.frequent_3 AS o
JOIN frequent_3 AS r
  ON r.item_1 = o.item_1 AND r.item_2 = o.item_2 AND r.item_3 = o.item_3;

-- itemsets_lost_most-3
-- itemsets_lost_most_3: lists the itemsets that lost most support
SELECT
  o.support AS before,
  CAST(r.support AS BIGINT) AS after,
  i1.label AS item_1,
  i2.label AS item_2,
  i3.label AS item_3
FROM run.main.frequent_3 AS o
LEFT JOIN frequent_3 AS r
  ON r.item_1 = o.item_1 AND r.item_2 = o.item_2 AND r.item_3 = o.item_3
JOIN matched_item AS i1
  ON i1.item = o.item_1
JOIN matched_item AS i2
  ON i2.item = o.item_2
JOIN matched_item AS i3
  ON i3.item = o.item_3
WHERE
  o.support - COALESCE(r.support, 0) > 0
ORDER BY
  o.support - COALESCE(r.support, 0) DESC,
  o.item_1,
  o.item_2,
  o.item_3
LIMIT 10;

-- itemsets_lost_most-2-all
-- itemsets_lost_most_2: lists the itemsets that lost most support
SELECT
  o.support AS before,
  CAST(NULL AS BIGINT) AS after,
  i1.label AS item_1,
  i2.label AS item_2
FROM run.main.frequent_2 AS o
JOIN matched_item AS i1
  ON i1.item = o.item_1
JOIN matched_item AS i2
  ON i2.item = o.item_2
WHERE
  o.support - COALESCE(NULL, 0) > 0
ORDER BY
  o.support - COALESCE(NULL, 0) DESC,
  o.item_1,
  o.item_2
LIMIT 10;

-- disclosed
-- disclosed: counts the itemsets that had to be hidden and are still frequent in the release
SELECT
  CAST(SUM(l.itemsets) AS BIGINT) AS itemsets
FROM (
  SELECT
    COUNT(*) AS itemsets
  FROM run.main.frequent_1 AS o
  JOIN frequent_1 AS r
    ON r.item_1 = o.item_1
  JOIN frequent_restrictive AS x
    ON x.itemset = r.id * 64 + 1
  UNION ALL
  SELECT
    COUNT(*) AS itemsets
  FROM run.main.frequent_2 AS o
  JOIN frequent_2 AS r
    ON r.item_1 = o.item_1 AND r.item_2 = o.item_2
  JOIN frequent_restrictive AS x
    ON x.itemset = r.id * 64 + 2
) AS l;

-- disclosed-none
-- disclosed: counts the itemsets that had to be hidden and are still frequent in the release
SELECT
  CAST(SUM(l.itemsets) AS BIGINT) AS itemsets
FROM (
  SELECT
    0 AS itemsets
) AS l;

-- published_nodes
-- published_node: each row is a node that the release publishes for a transaction of the original
SELECT
  b.tid AS tid,
  n.node AS node
FROM run.main.matched_basket AS b
JOIN run.main.occurrence AS o
  ON o.tid = b.released
JOIN run.main.item AS i
  ON i.item = o.item
JOIN node AS n
  ON CAST(n.level AS TEXT) || ' ' || n.label = CAST(i.name AS TEXT);

-- recoded
-- recoded: each row is an occurrence with the lowest published node above it
SELECT
  o.tid AS tid,
  o.item AS item,
  MIN(n.node) AS node
FROM occurrence AS o
JOIN path AS p
  ON p.item = o.item
JOIN published_node AS n
  ON n.tid = o.tid AND n.node = p.node
GROUP BY
  o.tid,
  o.item;

-- leaving_items
-- leaving_item: each row is an item that no attacker knows and that is published as it was: no node above stands for it
SELECT
  i.item AS item
FROM item AS i
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM public_item AS p
    WHERE
      p.item = i.item
  )
  AND i.support = (
    SELECT
      COUNT(*) AS n
    FROM recoded AS r
    WHERE
      r.item = i.item AND r.node = r.item
  );

-- unlike_suppression
-- unlike_suppression: counts items that have a node in some of their transactions only, and nodes that stand for an item
SELECT
  (
    SELECT
      COUNT(*) AS n
    FROM (
      SELECT
        r.item AS item,
        COUNT(*) AS held
      FROM recoded AS r
      GROUP BY
        r.item
    ) AS h
    JOIN item AS i
      ON i.item = h.item
    WHERE
      h.held < i.support
  ) AS partly,
  (
    SELECT
      COUNT(*) AS n
    FROM (
      SELECT DISTINCT
        r.tid AS tid,
        r.node AS node
      FROM recoded AS r
    ) AS f
  ) AS founded;

-- breaches
-- breaches_2: lists, per support of a revealing itemset, the transactions with its likeliest private item
SELECT
  c.support AS support,
  MAX(l.hits) AS hits
FROM judged_2 AS j
JOIN counted_2 AS c
  ON c.id = j.id
JOIN link_2 AS l
  ON l.id = j.id
WHERE
  j.verdict = 2
GROUP BY
  c.support;

-- knowing_nothing
-- knowing_nothing: counts the holders of the most frequent private item: the guess without knowledge
SELECT
  t.transactions AS support,
  COALESCE(MAX(i.support), 0) AS hits
FROM (
  SELECT
    COUNT(*) AS transactions
  FROM basket AS b
) AS t
LEFT JOIN (
  SELECT
    i.support AS support
  FROM item AS i
  JOIN private_item AS r
    ON r.item = i.item
) AS i
  ON i.support > 0
GROUP BY
  t.transactions;

-- knowing_nothing-persons
-- knowing_nothing: counts the holders of the most frequent private item: the guess without knowledge
SELECT
  t.transactions AS support,
  COALESCE(MAX(i.support), 0) AS hits
FROM (
  SELECT
    COUNT(*) AS transactions
  FROM basket AS b
) AS t
LEFT JOIN (
  SELECT
    i.support AS support
  FROM item AS i
  JOIN private_item AS r
    ON r.item = i.item
) AS i
  ON i.support > 0
GROUP BY
  t.transactions
UNION ALL
SELECT
  t.transactions AS support,
  COALESCE(MAX(i.support), 0) AS hits
FROM (
  SELECT
    COUNT(DISTINCT b.person) AS transactions
  FROM basket AS b
) AS t
LEFT JOIN (
  SELECT
    i.persons AS support
  FROM item AS i
  JOIN private_item AS r
    ON r.item = i.item
) AS i
  ON i.support > 0
GROUP BY
  t.transactions;

-- breaches-2-persons
-- breaches_2: lists, per support of a revealing itemset, the transactions with its likeliest private item
SELECT
  c.support AS support,
  MAX(l.hits) AS hits
FROM judged_2 AS j
JOIN counted_2 AS c
  ON c.id = j.id
JOIN link_2 AS l
  ON l.id = j.id
WHERE
  j.verdict = 2
GROUP BY
  c.support
UNION ALL
SELECT
  p.persons AS support,
  MAX(r.persons) AS hits
FROM judged_2 AS j
JOIN persons_2 AS p
  ON p.id = j.id
JOIN reached_2 AS r
  ON r.id = j.id
WHERE
  j.verdict = 2
GROUP BY
  p.persons;
