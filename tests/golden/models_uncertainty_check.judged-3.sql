-- check_judged_3: what is inferred by who knows 3 items
SELECT
  COUNT(*) AS rules,
  CAST(COALESCE(SUM(CASE WHEN r.hits * 10 > 7 * r.support THEN 1 ELSE 0 END), 0) AS BIGINT) AS unsafe
FROM (
  SELECT
    s.id * 2654435761 + w.secret AS rule,
    s.support AS support,
    COUNT(*) AS hits
  FROM check_witness_3 AS w
  JOIN check_set_3 AS s
    ON s.parent = w.parent AND s.item = w.item
  GROUP BY
    s.id * 2654435761 + w.secret,
    s.support
) AS r;
