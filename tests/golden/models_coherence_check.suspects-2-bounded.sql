-- check_suspect_2: how often sets meet private items
WITH pair AS (
  SELECT
    w.id * 2654435761 + x.item AS pair,
    CAST(SUM(BIT_COUNT(w.bits & x.bits)) AS BIGINT) AS number
  FROM check_bound_2 AS d
  JOIN (
    SELECT
      t.id AS id,
      t.item AS item,
      a.word_no AS word_no,
      a.bits & b.bits AS bits
    FROM check_set_2 AS t
    JOIN check_cohort_1 AS a
      ON a.id = t.parent
    JOIN check_cohort_1 AS b
      ON b.item = t.item AND b.word_no = a.word_no
  ) AS w
    ON w.id = d.id
  JOIN check_secret AS x
    ON x.item = d.secret AND x.word_no = w.word_no
  WHERE
    d.hits * 5 > 2 * d.support
  GROUP BY
    w.id * 2654435761 + x.item
), apart AS (
  SELECT
    CAST((
      p.pair - p.pair % 2654435761
    ) / 2654435761 AS BIGINT) AS id,
    CAST(p.pair % 2654435761 AS BIGINT) AS item,
    p.number AS number
  FROM pair AS p
)
SELECT
  p.id AS id,
  p.item AS secret,
  p.number AS hits
FROM apart AS p
WHERE
  p.number * 5 > 40
UNION ALL
SELECT
  d.id AS id,
  d.secret AS secret,
  d.hits AS hits
FROM check_bound_2 AS d
WHERE
  d.hits * 5 <= 2 * d.support;
