-- check_set_2: sets of 2 without a violation inside, counted
WITH pair AS (
  SELECT
    a.id * 2147483648 + b.item AS pair,
    CAST(SUM(BIT_COUNT(a.bits & b.bits)) AS BIGINT) AS number
  FROM check_cohort_1 AS a
  JOIN check_cohort_1 AS b
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
    s.id AS parent,
    s.item AS item,
    s.number AS support
  FROM apart AS s
  JOIN check_link_1 AS l
    ON l.id = s.id
  JOIN check_fine_1 AS f
    ON f.parent = l.subset AND f.item = s.item
  GROUP BY
    s.id,
    s.item,
    s.number
  HAVING
    COUNT(*) = 1
)
SELECT
  ROW_NUMBER() OVER (ORDER BY w.parent, w.item) - 1 AS id,
  w.parent AS parent,
  w.item AS item,
  w.support AS support
FROM whole AS w;
