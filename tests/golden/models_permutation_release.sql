-- grouping
-- grouping: each row is a transaction and its group; groups are numbered in the order of ids
SELECT
  m.tid AS tid,
  CAST(n.number AS INT) AS number
FROM member AS m
JOIN (
  SELECT
    f.team AS team,
    ROW_NUMBER() OVER (ORDER BY f.place) AS number
  FROM (
    SELECT
      t.team AS team,
      MIN(r.place) AS place
    FROM member AS t
    JOIN ranked AS r
      ON r.tid = t.tid
    GROUP BY
      t.team
  ) AS f
) AS n
  ON n.team = m.team;

-- released
-- release: each row is a row of the source without sensitive items, with its group
SELECT
  r."basket no" AS "basket no",
  r."o'brien" AS "o'brien",
  r."number" AS "number",
  g.number AS "group"
FROM (
  SELECT DISTINCT
    s."basket no" AS "basket no",
    s."o'brien" AS "o'brien",
    l.item AS "number"
  FROM source AS s
  JOIN label AS l
    ON l.name = s."o'brien"
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
    )
) AS r
JOIN basket AS b
  ON b.key = r."basket no"
JOIN grouping AS g
  ON g.tid = b.tid;

-- held
-- held: each row is a group, a sensitive item and how many hold it
SELECT
  g.number AS number,
  c.code AS code,
  CAST(COUNT(*) AS INT) AS held
FROM clash AS c
JOIN grouping AS g
  ON g.tid = c.tid
WHERE
  c.code >= 0
GROUP BY
  g.number,
  c.code;

-- counted
-- release_sensitive: each row is a group, a sensitive item and how many hold it
SELECT
  h.number AS "group",
  i.name AS "o'brien",
  h.held AS "count",
  i.item AS "number"
FROM held AS h
JOIN item AS i
  ON i.item = h.code;

-- sizes
-- group_sizes: counts the groups and what they leave out
SELECT
  n.sized AS sized,
  n.smallest AS smallest,
  n.largest AS largest,
  b.blank AS blank,
  s.held AS held,
  s.held - c.published AS left_out
FROM (
  SELECT
    COUNT(*) AS sized,
    COALESCE(MIN(g.size), 0) AS smallest,
    COALESCE(MAX(g.size), 0) AS largest
  FROM (
    SELECT
      m.number AS number,
      COUNT(*) AS size
    FROM grouping AS m
    JOIN queue AS q
      ON q.tid = m.tid
    GROUP BY
      m.number
  ) AS g
) AS n
CROSS JOIN (
  SELECT
    COUNT(*) AS blank
  FROM (
    SELECT DISTINCT
      o.tid AS tid
    FROM occurrence AS o
  ) AS a
  WHERE
    NOT EXISTS(
      SELECT
        1 AS one
      FROM queue AS q
      WHERE
        q.tid = a.tid
    )
) AS b
CROSS JOIN (
  SELECT
    COUNT(*) AS held
  FROM occurrence AS o
  JOIN sensitive_item AS i
    ON i.item = o.item
) AS s
CROSS JOIN (
  SELECT
    COUNT(*) AS published
  FROM clash AS c
  WHERE
    c.code >= 0
) AS c;
