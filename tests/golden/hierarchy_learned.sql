-- anchors
-- anchor: each row is a frequent public item, around which others gather
SELECT
  a.item AS item
FROM (
  SELECT
    i.item AS item,
    ROW_NUMBER() OVER (ORDER BY i.support DESC, i.item) AS place
  FROM item AS i
  JOIN public_item AS r
    ON r.item = i.item
  WHERE
    i.support >= 20
) AS a
WHERE
  a.place <= 8;

-- bonds
-- bond: each row is a public item and the anchor that it meets most, for its size
SELECT
  b.item AS item,
  b.anchor AS anchor
FROM (
  SELECT
    m.item AS item,
    m.anchor AS anchor,
    ROW_NUMBER() OVER (
      PARTITION BY m.item
      ORDER BY CAST(m.met AS DOUBLE) * m.met / (
        i.support * SQRT(i.support)
      ) DESC, m.anchor
    ) AS place
  FROM (
    SELECT
      o.item AS item,
      f.item AS anchor,
      CAST(COUNT(*) AS DOUBLE) AS met
    FROM occurrence AS f
    JOIN anchor AS a
      ON a.item = f.item
    JOIN occurrence AS o
      ON o.tid = f.tid
    JOIN public_item AS r
      ON r.item = o.item
    WHERE
      NOT EXISTS(
        SELECT
          1 AS one
        FROM anchor AS x
        WHERE
          x.item = o.item
      )
    GROUP BY
      o.item,
      f.item
  ) AS m
  JOIN item AS i
    ON i.item = m.anchor
) AS b
WHERE
  b.place = 1;

-- seats
-- seat: each row is an item, its anchor and its place among the items there
SELECT
  s.item AS item,
  s.anchor AS anchor,
  ROW_NUMBER() OVER (PARTITION BY s.anchor ORDER BY s.support DESC, s.item) - 1 AS place
FROM (
  SELECT
    i.item AS item,
    CASE WHEN a.item IS NULL THEN COALESCE(b.anchor, -1) ELSE a.item END AS anchor,
    CASE WHEN r.item IS NULL THEN 0 ELSE i.support END AS support
  FROM item AS i
  LEFT JOIN anchor AS a
    ON a.item = i.item
  LEFT JOIN bond AS b
    ON b.item = i.item
  LEFT JOIN public_item AS r
    ON r.item = i.item
) AS s;

-- given
-- given_hierarchy: each row is an item with its nodes, whose labels name their most frequent members
WITH told AS (
  SELECT
    s.anchor AS anchor,
    s.place AS place,
    CAST(i.name AS TEXT) AS name
  FROM seat AS s
  JOIN item AS i
    ON i.item = s.item
  JOIN public_item AS r
    ON r.item = s.item
  WHERE
    i.support >= 20
)
SELECT
  CAST(i.name AS TEXT) AS name,
  COALESCE(a1.name || COALESCE(', ' || b1.name, '') || ' …', 'others') || ' #' || CAST(s.anchor + 1 AS TEXT) || '.' || CAST((
    s.place // 8
  ) AS TEXT) AS level1,
  COALESCE(a2.name || COALESCE(', ' || b2.name, '') || ' …', 'others') || ' #' || CAST(s.anchor + 1 AS TEXT) || '.' || CAST((
    s.place // 64
  ) AS TEXT) AS level2,
  COALESCE(a3.name || COALESCE(', ' || b3.name, '') || ' …', 'others') || ' #' || CAST(s.anchor + 1 AS TEXT) || '.' || CAST(0 AS TEXT) AS level3
FROM seat AS s
JOIN item AS i
  ON i.item = s.item
LEFT JOIN told AS a1
  ON a1.anchor = s.anchor AND a1.place = s.place - s.place % 8
LEFT JOIN told AS b1
  ON b1.anchor = s.anchor AND b1.place = s.place - s.place % 8 + 1
LEFT JOIN told AS a2
  ON a2.anchor = s.anchor AND a2.place = s.place - s.place % 64
LEFT JOIN told AS b2
  ON b2.anchor = s.anchor AND b2.place = s.place - s.place % 64 + 1
LEFT JOIN told AS a3
  ON a3.anchor = s.anchor AND a3.place = 0
LEFT JOIN told AS b3
  ON b3.anchor = s.anchor AND b3.place = 1;

-- clashes
-- clashes: counts items with the name of a node: no label may be an item
SELECT
  COUNT(*) AS found
FROM item AS i
WHERE
  EXISTS(
    SELECT
      1 AS one
    FROM given_hierarchy AS g
    WHERE
      CAST(i.name AS TEXT) IN (g.level1, g.level2, g.level3)
  );
