-- link_3: the private items that could be inferred
SELECT
  CAST((
    pair - pair % 1000
  ) / 1000 AS BIGINT) AS id,
  CAST(pair % 1000 AS INT) AS item,
  hits
FROM (
  SELECT
    h.id * 1000 + s.item AS pair,
    COUNT(*) AS hits
  FROM cohort_3 AS h
  JOIN secret AS s
    ON s.tid = h.tid
  GROUP BY
    h.id * 1000 + s.item
  HAVING
    COUNT(*) * 5 > 2 * 20
) AS met;
