-- check_violations_0: the worst of the violating sets of 0
WITH name AS (
  SELECT
    item AS item,
    MIN(label) AS label
  FROM check_item
  GROUP BY
    item
), violation AS (
  SELECT
    t.id AS id,
    t.parent AS parent,
    t.item AS item,
    t.support AS support
  FROM check_set_0 AS t
  WHERE
    NOT EXISTS(
      SELECT
        1 AS one
      FROM check_fine_0 AS f
      WHERE
        f.id = t.id
    )
  ORDER BY
    t.support,
    t.id
  LIMIT 20
), pair AS (
  SELECT
    x.item AS pair,
    CAST(SUM(BIT_COUNT(x.bits)) AS BIGINT) AS number
  FROM check_secret AS x
  GROUP BY
    x.item
), apart AS (
  SELECT
    CAST((
      p.pair - p.pair % 2654435761
    ) / 2654435761 AS BIGINT) AS id,
    CAST(p.pair % 2654435761 AS BIGINT) AS item,
    p.number AS number
  FROM pair AS p
), worst AS (
  SELECT
    r.id AS id,
    r.secret AS secret,
    r.hits AS hits
  FROM (
    SELECT
      p.id AS id,
      p.item AS secret,
      p.number AS hits,
      ROW_NUMBER() OVER (PARTITION BY p.id ORDER BY p.number DESC, p.item) AS place
    FROM apart AS p
  ) AS r
  WHERE
    r.place = 1
)
SELECT
  v.support AS support,
  COALESCE(h.hits, 0) AS hits,
  x.label AS secret
FROM violation AS v
LEFT JOIN worst AS h
  ON h.id = v.id
LEFT JOIN name AS x
  ON x.item = h.secret
ORDER BY
  v.support,
  v.id;
