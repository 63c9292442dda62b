-- check_suspect_1: how often sets meet private items
WITH pair AS (
  SELECT
    w.id * 2654435761 + x.item AS pair,
    CAST(SUM(BIT_COUNT(w.bits & x.bits)) AS BIGINT) AS number
  FROM (
    SELECT
      t.id AS id,
      t.item AS item,
      b.word_no AS word_no,
      b.bits AS bits
    FROM (
      SELECT
        t.id AS id,
        t.parent AS parent,
        t.item AS item
      FROM check_set_1 AS t
      WHERE
        t.support >= 20
    ) AS t
    JOIN check_word AS b
      ON b.item = t.item
  ) AS w
  JOIN check_secret AS x
    ON x.word_no = w.word_no
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
  p.number * 5 > 40;
