-- drawn
-- drawn: each row is a transaction of the sample, drawn by the seed
WITH placed AS (
  SELECT
    r.unit,
    ROW_NUMBER() OVER (ORDER BY r.roll, r.unit) AS place
  FROM (
    SELECT
      r.unit AS unit,
      (
        r.x2 * r.x2 % 2147483647
      ) * r.x % 2147483647 AS roll
    FROM (
      SELECT
        r.unit AS unit,
        r.x,
        r.x * r.x % 2147483647 AS x2
      FROM (
        SELECT
          r.unit AS unit,
          (
            CAST(r.unit AS BIGINT) * 48271 + CAST(0 AS BIGINT) * 69621 + 20
          ) % 2147483647 AS x
        FROM (
          SELECT DISTINCT
            b.tid AS unit
          FROM basket AS b
        ) AS r
      ) AS r
    ) AS r
  ) AS r
)
SELECT
  b.tid
FROM basket AS b
JOIN placed AS p
  ON p.unit = b.tid
WHERE
  p.place <= 1000;

-- drawn-persons
-- drawn: each row is a transaction of the sample, drawn by the seed
WITH placed AS (
  SELECT
    r.unit,
    ROW_NUMBER() OVER (ORDER BY r.roll, r.unit) AS place
  FROM (
    SELECT
      r.unit AS unit,
      (
        r.x2 * r.x2 % 2147483647
      ) * r.x % 2147483647 AS roll
    FROM (
      SELECT
        r.unit AS unit,
        r.x,
        r.x * r.x % 2147483647 AS x2
      FROM (
        SELECT
          r.unit AS unit,
          (
            CAST(r.unit AS BIGINT) * 48271 + CAST(0 AS BIGINT) * 69621 + 20
          ) % 2147483647 AS x
        FROM (
          SELECT DISTINCT
            b.person AS unit
          FROM basket AS b
        ) AS r
      ) AS r
    ) AS r
  ) AS r
)
SELECT
  b.tid
FROM basket AS b
JOIN placed AS p
  ON p.unit = b.person
WHERE
  p.place <= 1000;

-- common
-- common: each row is an item that enough transactions of the sample hold
SELECT
  o.item
FROM occurrence AS o
JOIN drawn AS d
  ON d.tid = o.tid
GROUP BY
  o.item
HAVING
  COUNT(*) >= 50;

-- prepared
-- prepared: each row is an occurrence that is left
SELECT
  o.tid,
  o.item
FROM occurrence AS o
JOIN drawn AS d
  ON d.tid = o.tid
JOIN common AS c
  ON c.item = o.item;

-- prepared-cutoff
-- prepared: each row is an occurrence that is left, of 5 items at most
WITH placed AS (
  SELECT
    r.tid,
    r.item,
    ROW_NUMBER() OVER (PARTITION BY r.tid ORDER BY r.roll, r.item) AS place
  FROM (
    SELECT
      r.tid AS tid,
      r.item AS item,
      (
        r.x2 * r.x2 % 2147483647
      ) * r.x % 2147483647 AS roll
    FROM (
      SELECT
        r.tid AS tid,
        r.item AS item,
        r.x,
        r.x * r.x % 2147483647 AS x2
      FROM (
        SELECT
          r.tid AS tid,
          r.item AS item,
          (
            CAST(r.tid AS BIGINT) * 48271 + CAST(r.item AS BIGINT) * 69621 + 21
          ) % 2147483647 AS x
        FROM (
          SELECT
            o.tid,
            o.item
          FROM occurrence AS o
          JOIN drawn AS d
            ON d.tid = o.tid
          JOIN common AS c
            ON c.item = o.item
        ) AS r
      ) AS r
    ) AS r
  ) AS r
)
SELECT
  tid,
  item
FROM placed
WHERE
  place <= 5;

-- items_left
-- items_left: counts the items that are left
SELECT
  COUNT(DISTINCT p.item) AS items
FROM prepared AS p;

-- named_rows
SELECT
  b.key AS tid,
  i.name AS item
FROM run.main.prepared AS p
JOIN run.main.basket AS b
  ON b.tid = p.tid
JOIN run.main.item AS i
  ON i.item = p.item;

-- listed_rows
SELECT
  b.key AS tid,
  COALESCE(k.kept, []) AS item
FROM run.main.drawn AS d
JOIN run.main.basket AS b
  ON b.tid = d.tid
LEFT JOIN (
  SELECT
    p.tid,
    ARRAY_AGG(i.name ORDER BY i.name) AS kept
  FROM run.main.prepared AS p
  JOIN run.main.item AS i
    ON i.item = p.item
  GROUP BY
    p.tid
) AS k
  ON k.tid = d.tid;

-- chosen_patterns
-- chosen_patterns: lists the patterns that the seed drew
WITH turned AS (
  SELECT
    r.size,
    r.item_1,
    r.item_2,
    r.item_3,
    r.roll,
    ROW_NUMBER() OVER (PARTITION BY r.size ORDER BY r.roll, r.item_1, r.item_2, r.item_3) AS turn
  FROM (
    SELECT
      r.size AS size,
      r.item_1 AS item_1,
      r.item_2 AS item_2,
      r.item_3 AS item_3,
      (
        r.x2 * r.x2 % 2147483647
      ) * r.x % 2147483647 AS roll
    FROM (
      SELECT
        r.size AS size,
        r.item_1 AS item_1,
        r.item_2 AS item_2,
        r.item_3 AS item_3,
        r.x,
        r.x * r.x % 2147483647 AS x2
      FROM (
        SELECT
          r.size AS size,
          r.item_1 AS item_1,
          r.item_2 AS item_2,
          r.item_3 AS item_3,
          (
            CAST(r.item_1 * 1009 + r.item_2 AS BIGINT) * 48271 + CAST(r.size AS BIGINT) * 69621 + 27
          ) % 2147483647 AS x
        FROM (
          SELECT
            2 AS size,
            f.item_1 AS item_1,
            f.item_2 AS item_2,
            CAST(NULL AS INT) AS item_3
          FROM frequent_2 AS f
          WHERE
            f.support <= 4000
          UNION ALL
          SELECT
            3 AS size,
            f.item_1 AS item_1,
            f.item_2 AS item_2,
            f.item_3 AS item_3
          FROM frequent_3 AS f
          WHERE
            f.support <= 4000
        ) AS r
      ) AS r
    ) AS r
  ) AS r
), placed AS (
  SELECT
    t.item_1,
    t.item_2,
    t.item_3,
    ROW_NUMBER() OVER (ORDER BY t.turn, t.size) AS place
  FROM turned AS t
)
SELECT
  i1.name AS name_1,
  i2.name AS name_2,
  i3.name AS name_3
FROM placed AS p
LEFT JOIN item AS i1
  ON i1.item = p.item_1
LEFT JOIN item AS i2
  ON i2.item = p.item_2
LEFT JOIN item AS i3
  ON i3.item = p.item_3
WHERE
  p.place <= 10
ORDER BY
  p.place;

-- marked
-- marked: each row is an item that the seed drew
WITH placed AS (
  SELECT
    r.item,
    ROW_NUMBER() OVER (ORDER BY r.roll, r.item) AS place
  FROM (
    SELECT
      r.item AS item,
      (
        r.x2 * r.x2 % 2147483647
      ) * r.x % 2147483647 AS roll
    FROM (
      SELECT
        r.item AS item,
        r.x,
        r.x * r.x % 2147483647 AS x2
      FROM (
        SELECT
          r.item AS item,
          (
            CAST(r.item AS BIGINT) * 48271 + CAST(0 AS BIGINT) * 69621 + 22
          ) % 2147483647 AS x
        FROM (
          SELECT
            i.item
          FROM item AS i
        ) AS r
      ) AS r
    ) AS r
  ) AS r
)
SELECT
  item
FROM placed
WHERE
  place <= 40;

-- marked_names
-- marked_names: lists the drawn items
SELECT
  i.name
FROM marked AS m
JOIN item AS i
  ON i.item = m.item
ORDER BY
  i.item;

-- surest_names
-- surest_names: lists the items that are the most frequent one of a transaction besides the drawn
WITH others AS (
  SELECT
    o.tid,
    i.item,
    ROW_NUMBER() OVER (PARTITION BY o.tid ORDER BY i.support DESC, i.item) AS place
  FROM occurrence AS o
  JOIN item AS i
    ON i.item = o.item
  LEFT JOIN marked AS m
    ON m.item = o.item
  WHERE
    m.item IS NULL
)
SELECT
  i.name
FROM (
  SELECT DISTINCT
    item
  FROM others
  WHERE
    place = 1
) AS f
JOIN item AS i
  ON i.item = f.item
ORDER BY
  i.item;
