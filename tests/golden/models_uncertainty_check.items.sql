-- check_item: the items, numbered rarest first
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY s.support, s.number) - 1 AS INT) AS item,
  s.number AS number,
  s.support AS support,
  n.label AS label,
  CASE
    WHEN EXISTS(
      SELECT
        1 AS one
      FROM sensitive AS r
      WHERE
        r.label = n.label
    )
    THEN 1
    ELSE 0
  END AS sensitive
FROM (
  SELECT
    p.pair % 2654435761 AS number,
    COUNT(*) AS support
  FROM check_pair AS p
  GROUP BY
    p.pair % 2654435761
) AS s
JOIN (
  SELECT DISTINCT
    number AS number,
    label AS label
  FROM check_name
) AS n
  ON n.number = s.number;
