-- known_persons
-- persons_1: each row is a public item and the number of persons who hold it
SELECT
  c.id AS id,
  i.persons AS persons
FROM counted_1 AS c
JOIN item AS i
  ON i.item = c.item_1;

-- held_alone
-- held_1: each row is a public item, a transaction that holds it, its person
SELECT
  p.id AS id,
  o.tid AS tid,
  b.person AS person
FROM persons_1 AS p
JOIN occurrence AS o
  ON o.item = p.id
JOIN basket AS b
  ON b.tid = o.tid
WHERE
  p.persons >= 20
  AND EXISTS(
    SELECT
      1 AS one
    FROM link_1 AS l
    WHERE
      l.id = p.id
  );

-- dominated_item
-- dominated_1: finds the item of whose transactions one person has the largest share
SELECT
  i.most AS most,
  i.support AS support
FROM item AS i
JOIN public_item AS r
  ON r.item = i.item
WHERE
  i.persons >= 20
ORDER BY
  CAST(i.most AS DOUBLE) / i.support DESC,
  support
LIMIT 1;

-- doubtful-2
-- doubtful_2: each row is an itemset whose transactions may be of too few persons: they are counted
SELECT
  c.id AS id,
  c.parent AS parent,
  c.item_1 AS item_1,
  c.item_2 AS item_2
FROM counted_2 AS c
JOIN item AS i1
  ON i1.item = c.item_1
JOIN item AS i2
  ON i2.item = c.item_2
LEFT JOIN (
  SELECT
    l.id AS id,
    MAX(l.hits) AS hits
  FROM link_2 AS l
  GROUP BY
    l.id
) AS link
  ON link.id = c.id
WHERE
  c.support >= 20
  AND c.support <= 19 * LEAST(i1.most, i2.most)
  OR (
    link.hits * 5 > 40 AND link.hits * 5 * LEAST(i1.most, i2.most) > 2 * c.support
  );

-- held-2
-- held_2: each row is an itemset in doubt, a transaction of it, its person
SELECT
  d.id AS id,
  prefix.tid AS tid,
  b.person AS person
FROM (
  SELECT
    CAST(item AS BIGINT) AS id,
    tid
  FROM extension
) AS prefix
JOIN extension AS added
  ON added.tid = prefix.tid
JOIN doubtful_2 AS d
  ON d.parent = prefix.id AND d.item_2 = added.item
JOIN basket AS b
  ON b.tid = prefix.tid;

-- persons-2
-- persons_2: each row is an itemset in doubt and the number of its persons
SELECT
  h.id AS id,
  COUNT(*) AS persons
FROM (
  SELECT DISTINCT
    c.id AS id,
    c.person AS person
  FROM held_2 AS c
) AS h
GROUP BY
  h.id;

-- reached-2
-- reached_2: each row is an itemset and a private item, with the persons of whom it could be revealed
SELECT
  h.id AS id,
  h.item AS item,
  COUNT(*) AS persons
FROM (
  SELECT DISTINCT
    l.id AS id,
    l.item AS item,
    c.person AS person
  FROM link_2 AS l
  JOIN persons_2 AS p
    ON p.id = l.id
  JOIN held_2 AS c
    ON c.id = l.id
  JOIN secret AS s
    ON s.tid = c.tid AND s.item = l.item
  WHERE
    p.persons >= 20 AND l.hits * 5 > 2 * p.persons
) AS h
GROUP BY
  h.id,
  h.item;

-- dominated-2
-- dominated_2: each row is an itemset of whose transactions one person may have a larger share
SELECT
  c.id AS id,
  c.parent AS parent,
  c.item_1 AS item_1,
  c.item_2 AS item_2
FROM counted_2 AS c
JOIN item AS i1
  ON i1.item = c.item_1
JOIN item AS i2
  ON i2.item = c.item_2
WHERE
  c.support >= 20 AND LEAST(i1.most, i2.most) * 5 > 2 * c.support;

-- dominating-2
-- dominating_2: finds the 2 items of whose transactions one person has the largest share
SELECT
  s.most AS most,
  s.support AS support
FROM (
  SELECT
    g.id AS id,
    MAX(g.n) AS most,
    CAST(SUM(g.n) AS BIGINT) AS support
  FROM (
    SELECT
      h.id AS id,
      h.person AS person,
      COUNT(*) AS n
    FROM (
      SELECT
        h.id AS id,
        h.person AS person
      FROM held_2 AS h
      JOIN dominated_2 AS d
        ON d.id = h.id
    ) AS h
    GROUP BY
      h.id,
      h.person
  ) AS g
  GROUP BY
    g.id
  HAVING
    COUNT(*) >= 20
) AS s
ORDER BY
  CAST(s.most AS DOUBLE) / s.support DESC,
  support
LIMIT 1;

-- doubtful-3
-- doubtful_3: each row is an itemset whose transactions may be of too few persons: they are counted
SELECT
  c.id AS id,
  c.parent AS parent,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3
FROM counted_3 AS c
JOIN item AS i1
  ON i1.item = c.item_1
JOIN item AS i2
  ON i2.item = c.item_2
JOIN item AS i3
  ON i3.item = c.item_3
WHERE
  c.support >= 20 AND c.support <= 19 * LEAST(i1.most, i2.most, i3.most);

-- held-3
-- held_3: each row is an itemset in doubt, a transaction of it, its person
SELECT
  d.id AS id,
  x1.tid AS tid,
  b.person AS person
FROM doubtful_3 AS d
JOIN extension AS x1
  ON x1.item = d.item_1
JOIN extension AS x2
  ON x2.tid = x1.tid AND x2.item = d.item_2
JOIN extension AS x3
  ON x3.tid = x1.tid AND x3.item = d.item_3
JOIN basket AS b
  ON b.tid = x1.tid;

-- persons-3
-- persons_3: each row is an itemset in doubt and the number of its persons
SELECT
  h.id AS id,
  COUNT(*) AS persons
FROM (
  SELECT DISTINCT
    c.id AS id,
    c.person AS person
  FROM held_3 AS c
) AS h
GROUP BY
  h.id;

-- reached-3
-- reached_3: each row is an itemset and a private item, with the persons of whom it could be revealed
SELECT
  h.id AS id,
  h.item AS item,
  COUNT(*) AS persons
FROM (
  SELECT DISTINCT
    l.id AS id,
    l.item AS item,
    c.person AS person
  FROM link_3 AS l
  JOIN persons_3 AS p
    ON p.id = l.id
  JOIN held_3 AS c
    ON c.id = l.id
  JOIN secret AS s
    ON s.tid = c.tid AND s.item = l.item
  WHERE
    p.persons >= 20 AND l.hits * 5 > 2 * p.persons
) AS h
GROUP BY
  h.id,
  h.item;

-- dominated-3
-- dominated_3: each row is an itemset of whose transactions one person may have a larger share
SELECT
  c.id AS id,
  c.parent AS parent,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3
FROM counted_3 AS c
JOIN item AS i1
  ON i1.item = c.item_1
JOIN item AS i2
  ON i2.item = c.item_2
JOIN item AS i3
  ON i3.item = c.item_3
WHERE
  c.support >= 20 AND LEAST(i1.most, i2.most, i3.most) * 5 > 2 * c.support;

-- dominating-3
-- dominating_3: finds the 3 items of whose transactions one person has the largest share
SELECT
  s.most AS most,
  s.support AS support
FROM (
  SELECT
    g.id AS id,
    MAX(g.n) AS most,
    CAST(SUM(g.n) AS BIGINT) AS support
  FROM (
    SELECT
      h.id AS id,
      h.person AS person,
      COUNT(*) AS n
    FROM (
      SELECT
        d.id AS id,
        x1.tid AS tid,
        b.person AS person
      FROM dominated_3 AS d
      JOIN extension AS x1
        ON x1.item = d.item_1
      JOIN extension AS x2
        ON x2.tid = x1.tid AND x2.item = d.item_2
      JOIN extension AS x3
        ON x3.tid = x1.tid AND x3.item = d.item_3
      JOIN basket AS b
        ON b.tid = x1.tid
    ) AS h
    GROUP BY
      h.id,
      h.person
  ) AS g
  GROUP BY
    g.id
  HAVING
    COUNT(*) >= 20
) AS s
ORDER BY
  CAST(s.most AS DOUBLE) / s.support DESC,
  support
LIMIT 1;
