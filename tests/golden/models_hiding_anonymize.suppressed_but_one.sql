-- suppressed: what the release leaves out: no transaction loses its last item to its own pattern
SELECT DISTINCT
  s.tid AS tid,
  v.item AS item,
  1 AS round
FROM sanitized AS s
JOIN victim AS v
  ON v.pattern = s.pattern
JOIN (
  SELECT
    tid,
    COUNT(*) AS held
  FROM occurrence
  GROUP BY
    tid
) AS h
  ON h.tid = s.tid
WHERE
  h.held <> v.alone;
