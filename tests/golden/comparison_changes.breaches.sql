-- breaches_2: how surely a private item could be inferred
SELECT
  c.support AS support,
  MAX(l.hits) AS hits
FROM judged_2 AS j
JOIN counted_2 AS c
  ON c.id = j.id
JOIN link_2 AS l
  ON l.id = j.id
WHERE
  j.verdict = 2
GROUP BY
  c.support;
