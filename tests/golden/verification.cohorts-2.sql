-- check_cohort_2: the transactions of each fine set of 2
SELECT
  f.id AS id,
  f.item AS item,
  a.word_no AS word_no,
  a.bits & b.bits AS bits
FROM check_fine_2 AS f
JOIN check_cohort_1 AS a
  ON a.id = f.parent
JOIN check_cohort_1 AS b
  ON b.item = f.item AND b.word_no = a.word_no
WHERE
  (
    a.bits & b.bits
  ) <> 0;
