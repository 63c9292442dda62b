-- check_lines: without keys, line by line is how they are matched
SELECT
  COUNT(*) AS lines
FROM beside AS r;
