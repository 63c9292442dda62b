-- sanitized: those of most conflicts first, then by key
SELECT
  n.pattern AS pattern,
  n.tid AS tid
FROM (
  SELECT
    s.pattern AS pattern,
    s.tid AS tid,
    ROW_NUMBER() OVER (PARTITION BY s.pattern ORDER BY c.degree DESC, b.key) AS place
  FROM sensitive AS s
  JOIN conflict AS c
    ON c.tid = s.tid
  JOIN basket AS b
    ON b.tid = s.tid
) AS n
JOIN quota AS q
  ON q.pattern = n.pattern
WHERE
  n.place <= q.transactions;
