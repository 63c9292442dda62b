-- bearers
-- bearers: counts the transactions with items: these can lose some
SELECT
  COUNT(DISTINCT tid) AS transactions
FROM occurrence;

-- unemptied
-- unemptied: counts the transactions that keep an item in the release
SELECT
  COUNT(DISTINCT o.tid) AS transactions
FROM occurrence AS o
JOIN left_item AS l
  ON l.item = o.item;

-- verges-2
-- verges_2: lists the minimal moles of 2 items for every k
SELECT
  c.support AS support,
  CASE WHEN j.verdict = 2 THEN 1 ELSE 0 END AS revealing,
  LEAST(s1.support, s2.support) AS floor,
  c.item_1 AS item_1,
  c.item_2 AS item_2
FROM counted_2 AS c
JOIN judged_2 AS j
  ON j.id = c.id
JOIN counted_1 AS s1
  ON s1.item_1 = c.item_2
JOIN counted_1 AS s2
  ON s2.item_1 = c.item_1
WHERE
  c.support < 100 OR j.verdict = 2;

-- verges-3
-- verges_3: lists the minimal moles of 3 items for every k
SELECT
  c.support AS support,
  CASE WHEN j.verdict = 2 THEN 1 ELSE 0 END AS revealing,
  LEAST(s1.support, s2.support, s3.support) AS floor,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3
FROM counted_3 AS c
JOIN judged_3 AS j
  ON j.id = c.id
JOIN counted_2 AS s1
  ON s1.item_1 = c.item_2 AND s1.item_2 = c.item_3
JOIN counted_2 AS s2
  ON s2.item_1 = c.item_1 AND s2.item_2 = c.item_3
JOIN counted_2 AS s3
  ON s3.item_1 = c.item_1 AND s3.item_2 = c.item_2
WHERE
  c.support < 100 OR j.verdict = 2;
