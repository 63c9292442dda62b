-- occurrences_kept: what the release still says of whom
SELECT
  COUNT(*) AS kept
FROM run.main.occurrence AS o
JOIN matched_basket AS b
  ON b.tid = o.tid
JOIN after AS a
  ON a.tid = b.released AND a.item = o.item;
