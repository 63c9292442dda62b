-- check_cohort_2: the transactions of each fine set of 2
SELECT
  w.id AS id,
  w.item AS item,
  w.word_no AS word_no,
  w.bits AS bits
FROM (
  SELECT
    t.id AS id,
    t.item AS item,
    a.word_no AS word_no,
    a.bits & b.bits AS bits
  FROM check_fine_2 AS t
  JOIN check_cohort_1 AS a
    ON a.id = t.parent
  JOIN check_cohort_1 AS b
    ON b.item = t.item AND b.word_no = a.word_no
) AS w
WHERE
  w.bits <> 0;
