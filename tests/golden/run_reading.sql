-- cells
SELECT
  r."basket no" AS key,
  r."sku" AS name
FROM source AS r;

-- listed_cells
-- release_cell: each row is a transaction and an element of its list
SELECT
  r."basket no" AS key,
  UNNEST(r."sku") AS name
FROM release AS r
WHERE
  NOT r."sku" IS NULL
UNION ALL
SELECT
  r."basket no" AS key,
  NULL AS name
FROM release AS r
WHERE
  NOT r."basket no" IS NULL AND LENGTH(r."sku") = 0;

-- listed_cells-levels
-- release_node: each row is a transaction and an element of its list
SELECT
  r."basket no" AS key,
  UNNEST(r."sku") AS name,
  UNNEST(r."levels") AS level
FROM release AS r
WHERE
  NOT r."sku" IS NULL
UNION ALL
SELECT
  r."basket no" AS key,
  NULL AS name,
  CAST(NULL AS INT) AS level
FROM release AS r
WHERE
  NOT r."basket no" IS NULL AND LENGTH(r."sku") = 0;

-- nulls_long
-- nulls: counts rows without a transaction id or an item: no promise can cover them
SELECT
  COUNT(CASE WHEN NOT s."basket no" IS NULL AND NOT s."sku" IS NULL THEN 1 END) AS cells,
  COUNT(*) - COUNT(s."basket no") AS without_key,
  COUNT(*) - COUNT(s."sku") AS without_item,
  COUNT(CASE WHEN s."basket no" IS NULL OR s."sku" IS NULL THEN 1 END) AS dropped
FROM source AS s;

-- itemless
-- itemless: counts rows without an item: they make no transaction
SELECT
  COUNT(*) - COUNT(s."sku") AS rows_left_out
FROM source AS s;

-- with_item
-- with_item: each row is a row of the source that has an item
SELECT
  s."basket no" AS "basket no",
  s."sku" AS "sku",
  s."o'brien" AS "o'brien"
FROM source AS s
WHERE
  NOT s."sku" IS NULL;

-- nulls_listed
-- nulls: counts rows without a transaction id or a list, and NULLs in lists: no promise covers them
SELECT
  CAST(COALESCE(SUM(CASE WHEN NOT s."basket no" IS NULL THEN LIST_COUNT(s."sku") END), 0) AS BIGINT) AS cells,
  COUNT(*) - COUNT(s."basket no") AS without_key,
  CAST(COALESCE(
    SUM(CASE WHEN s."sku" IS NULL THEN 1 ELSE LENGTH(s."sku") - LIST_COUNT(s."sku") END),
    0
  ) AS BIGINT) AS without_item,
  CAST(COALESCE(
    SUM(
      CASE
        WHEN s."basket no" IS NULL OR s."sku" IS NULL
        THEN 1
        ELSE LENGTH(s."sku") - LIST_COUNT(s."sku")
      END
    ),
    0
  ) AS BIGINT) AS dropped,
  COUNT(CASE WHEN NOT s."basket no" IS NULL AND NOT s."sku" IS NULL THEN 1 END) AS whole
FROM source AS s;

-- labels
-- label: each row is a distinct item: its number by value, its rank by frequency
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY name) - 1 AS INT) AS item,
  CAST(ROW_NUMBER() OVER (ORDER BY cells DESC, name) - 1 AS INT) AS popularity,
  name
FROM (
  SELECT
    c.name AS name,
    COUNT(*) AS cells
  FROM cells AS c
  WHERE
    NOT c.key IS NULL AND NOT c.name IS NULL
  GROUP BY
    c.name
) AS counted;

-- baskets
-- basket: each row is a transaction; those with equal frequent items get neighbouring numbers
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY masked.mask DESC, masked.key) - 1 AS INT) AS tid,
  masked.key AS key
FROM (
  SELECT
    c.key AS key,
    COALESCE(
      BIT_OR(
        CASE
          WHEN l.popularity < 62
          THEN CAST(1 AS BIGINT) << CAST(62 - 1 - l.popularity AS INT)
        END
      ),
      0
    ) AS mask
  FROM cells AS c
  LEFT JOIN label AS l
    ON l.name = c.name
  WHERE
    NOT c.key IS NULL
  GROUP BY
    c.key
) AS masked;

-- occurrences
-- occurrence: each row is an occurrence: a transaction and an item in it, without duplicates
SELECT DISTINCT
  b.tid AS tid,
  l.item AS item
FROM cells AS c
JOIN basket AS b
  ON b.key = c.key
JOIN label AS l
  ON l.name = c.name
ORDER BY
  tid,
  item;

-- items
-- item: each row is an item with its support: the number of transactions that hold it
SELECT
  l.item AS item,
  l.name AS name,
  n.support AS support
FROM label AS l
JOIN (
  SELECT
    o.item AS item,
    COUNT(*) AS support
  FROM occurrence AS o
  GROUP BY
    o.item
) AS n
  ON n.item = l.item
ORDER BY
  item;

-- baskets-persons
-- basket: each row is a transaction; those with equal frequent items get neighbouring numbers
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY masked.mask DESC, masked.key) - 1 AS INT) AS tid,
  masked.key AS key,
  whose.person AS person
FROM (
  SELECT
    c.key AS key,
    COALESCE(
      BIT_OR(
        CASE
          WHEN l.popularity < 62
          THEN CAST(1 AS BIGINT) << CAST(62 - 1 - l.popularity AS INT)
        END
      ),
      0
    ) AS mask
  FROM cells AS c
  LEFT JOIN label AS l
    ON l.name = c.name
  WHERE
    NOT c.key IS NULL
  GROUP BY
    c.key
) AS masked
JOIN owner AS whose
  ON whose.key = masked.key;

-- items-persons
-- item: each row is an item with its support: the number of transactions that hold it
SELECT
  l.item AS item,
  l.name AS name,
  n.support AS support,
  n.persons AS persons,
  n.most AS most
FROM label AS l
JOIN (
  SELECT
    h.item AS item,
    CAST(SUM(h.held) AS BIGINT) AS support,
    COUNT(*) AS persons,
    MAX(h.held) AS most
  FROM (
    SELECT
      o.item AS item,
      COUNT(*) AS held
    FROM occurrence AS o
    JOIN basket AS b
      ON b.tid = o.tid
    GROUP BY
      o.item,
      b.person
  ) AS h
  GROUP BY
    h.item
) AS n
  ON n.item = l.item
ORDER BY
  item;

-- suppressed_items
-- suppressed: each row is an occurrence that the release leaves out: its item is suppressed everywhere
SELECT
  o.tid AS tid,
  o.item AS item,
  1 AS round
FROM occurrence AS o
JOIN suppressed_item AS s
  ON s.item = o.item;

-- release_long
-- release: each row is a row of the source whose item is not suppressed
SELECT
  s."basket no" AS "basket no",
  s."sku" AS "sku",
  s."o'brien" AS "o'brien",
  l.item AS "number"
FROM source AS s
JOIN label AS l
  ON l.name = s."sku"
JOIN basket AS b
  ON b.key = s."basket no"
WHERE
  NOT s."basket no" IS NULL
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM suppressed AS d
    WHERE
      d.tid = b.tid AND d.item = l.item
  );

-- release_listed
-- release: each row is a row of the source; its list lacks the suppressed items
SELECT
  s."basket no" AS "basket no",
  COALESCE(k.kept, []) AS "sku",
  s."o'brien" AS "o'brien",
  s."line" AS "line"
FROM source AS s
LEFT JOIN (
  SELECT
    u.line AS line,
    ARRAY_AGG(u.name ORDER BY u.name) AS kept
  FROM (
    SELECT DISTINCT
      t."line" AS line,
      b.tid AS tid,
      UNNEST(t."sku") AS name
    FROM source AS t
    JOIN basket AS b
      ON b.key = t."basket no"
  ) AS u
  JOIN label AS l
    ON l.name = u.name
  WHERE
    NOT EXISTS(
      SELECT
        1 AS one
      FROM suppressed AS d
      WHERE
        d.tid = u.tid AND d.item = l.item
    )
  GROUP BY
    u.line
) AS k
  ON k.line = s."line"
WHERE
  NOT s."basket no" IS NULL AND NOT s."sku" IS NULL;

-- release_long-everywhere
-- release: each row is a row of the source whose item is not suppressed
SELECT DISTINCT
  s."basket no" AS "basket no",
  s."sku" AS "sku",
  s."o'brien" AS "o'brien",
  l.item AS "number"
FROM source AS s
JOIN label AS l
  ON l.name = s."sku"
WHERE
  NOT s."basket no" IS NULL
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM suppressed_item AS d
    WHERE
      d.item = l.item
  );

-- release_listed-everywhere
-- release: each row is a row of the source; its list lacks the suppressed items
SELECT
  s."basket no" AS "basket no",
  COALESCE(k.kept, []) AS "sku",
  s."o'brien" AS "o'brien",
  s."line" AS "line"
FROM source AS s
LEFT JOIN (
  SELECT
    u.line AS line,
    ARRAY_AGG(u.name ORDER BY u.name) AS kept
  FROM (
    SELECT DISTINCT
      t."line" AS line,
      b.tid AS tid,
      UNNEST(t."sku") AS name
    FROM source AS t
    JOIN basket AS b
      ON b.key = t."basket no"
  ) AS u
  JOIN label AS l
    ON l.name = u.name
  WHERE
    NOT EXISTS(
      SELECT
        1 AS one
      FROM suppressed_item AS d
      WHERE
        d.item = l.item
    )
  GROUP BY
    u.line
) AS k
  ON k.line = s."line"
WHERE
  NOT s."basket no" IS NULL AND NOT s."sku" IS NULL;

-- published
SELECT
  r."basket no" AS "basket no",
  r."sku" AS "sku",
  r."o'brien" AS "o'brien"
FROM release AS r
ORDER BY
  r."basket no",
  r."sku",
  r."o'brien";
