-- check_set_1: sets of 1 without a violation inside, counted
WITH pair AS (
  SELECT
    w.item AS pair,
    CAST(SUM(BIT_COUNT(w.bits)) AS BIGINT) AS number
  FROM check_word AS w
  GROUP BY
    w.item
), apart AS (
  SELECT
    CAST((
      p.pair - p.pair % 2654435761
    ) / 2654435761 AS BIGINT) AS id,
    CAST(p.pair % 2654435761 AS BIGINT) AS item,
    p.number AS number
  FROM pair AS p
), whole AS (
  SELECT
    id AS parent,
    item AS item,
    number AS support
  FROM apart
)
SELECT
  ROW_NUMBER() OVER (ORDER BY w.parent, w.item) - 1 AS id,
  w.parent AS parent,
  w.item AS item,
  w.support AS support
FROM whole AS w;
