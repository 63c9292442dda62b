-- check_set_3: sets of 3 without a violation inside, counted
WITH pair AS (
  SELECT
    a.id * 2654435761 + b.item AS pair,
    CAST(SUM(BIT_COUNT(a.bits & b.bits)) AS BIGINT) AS number
  FROM check_cohort_2 AS a
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
    s.id AS parent,
    s.item AS item,
    s.number AS support
  FROM apart AS s
  JOIN check_link_2 AS l
    ON l.id = s.id
  JOIN check_fine_2 AS f
    ON f.parent = l.subset AND f.item = s.item
  GROUP BY
    s.id,
    s.item,
    s.number
  HAVING
    COUNT(*) = 2
)
SELECT
  ROW_NUMBER() OVER (ORDER BY w.parent, w.item) - 1 AS id,
  w.parent AS parent,
  w.item AS item,
  w.support AS support
FROM whole AS w;
