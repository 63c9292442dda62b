-- check_set_1: sets of 1 without a violation inside, counted
WITH pair AS (
  SELECT
    a.id * 2147483648 + b.item AS pair,
    CAST(SUM(BIT_COUNT(a.bits & b.bits)) AS BIGINT) AS number
  FROM check_cohort_0 AS a
  JOIN check_word AS b
    ON b.word_no = a.word_no AND b.item > a.item
  WHERE
    (
      a.bits & b.bits
    ) <> 0
  GROUP BY
    a.id * 2147483648 + b.item
), apart AS (
  SELECT
    CAST((
      p.pair - p.pair % 2147483648
    ) / 2147483648 AS BIGINT) AS id,
    CAST(p.pair % 2147483648 AS BIGINT) AS item,
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
