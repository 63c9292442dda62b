-- check_set_2: sets of 2 without a violation inside, counted
WITH pair AS (
  SELECT
    a.id * 2654435761 + b.item AS pair,
    CAST(SUM(BIT_COUNT(a.bits & b.bits)) AS BIGINT) AS number
  FROM check_cohort_1 AS a
  JOIN check_cohort_1 AS b
    ON b.word_no = a.word_no AND b.item > a.item
  GROUP BY
    a.id * 2654435761 + b.item
  HAVING
    CAST(SUM(BIT_COUNT(a.bits & b.bits)) AS BIGINT) > 0
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
