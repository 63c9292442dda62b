-- check_lengths_3: what is too large is refused before it is made
SELECT
  counted.held AS held,
  COUNT(*) AS transactions
FROM (
  SELECT
    r.word_no AS owner,
    COUNT(*) AS held
  FROM check_cohort_1 AS r
  GROUP BY
    r.word_no
) AS counted
GROUP BY
  counted.held
ORDER BY
  held;
