-- link_3: the private items that could be inferred
SELECT
  CAST((
    pair - pair % 1000
  ) / 1000 AS BIGINT) AS id,
  CAST(pair % 1000 AS INT) AS item,
  hits
FROM (
  SELECT
    b.id * 1000 + b.item AS pair,
    COUNT(*) AS hits
  FROM cohort_3 AS h
  JOIN bound_3 AS b
    ON b.id = h.id
  JOIN secret AS s
    ON s.tid = h.tid AND s.item = b.item
  GROUP BY
    b.id * 1000 + b.item
) AS met;
