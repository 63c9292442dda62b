-- check_suspect_2: how often sets meet private items
WITH pair AS (
  SELECT
    t.id * 2147483648 + x.item AS pair,
    CAST(SUM(BIT_COUNT(a.bits & b.bits & x.bits)) AS BIGINT) AS number
  FROM check_set_2 AS t
  JOIN check_cohort_1 AS a
    ON a.id = t.parent
  JOIN check_cohort_1 AS b
    ON b.item = t.item AND b.word_no = a.word_no
  JOIN check_secret AS x
    ON x.word_no = a.word_no
  WHERE
    t.support >= 20
  GROUP BY
    t.id * 2147483648 + x.item
), apart AS (
  SELECT
    CAST((
      p.pair - p.pair % 2147483648
    ) / 2147483648 AS BIGINT) AS id,
    CAST(p.pair % 2147483648 AS BIGINT) AS item,
    p.number AS number
  FROM pair AS p
)
SELECT
  p.id AS id,
  p.item AS secret,
  p.number AS hits
FROM apart AS p
WHERE
  p.number * 5 > 40;
