-- check_cohort_0: the transactions of the empty itemset
SELECT DISTINCT
  0 AS id,
  -1 AS item,
  w.word_no AS word_no,
  9223372036854775807 AS bits
FROM check_word AS w;
