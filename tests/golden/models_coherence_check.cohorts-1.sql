-- check_cohort_1: the transactions of each fine set of 1
SELECT
  w.id AS id,
  w.item AS item,
  w.word_no AS word_no,
  w.bits AS bits
FROM (
  SELECT
    t.id AS id,
    t.item AS item,
    b.word_no AS word_no,
    b.bits AS bits
  FROM check_fine_1 AS t
  JOIN check_word AS b
    ON b.item = t.item
) AS w
WHERE
  w.bits <> 0
ORDER BY
  word_no,
  item;
