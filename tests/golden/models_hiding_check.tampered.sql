-- check_tampered: the items that were changed without a reason
SELECT
  i.label AS label,
  s.added AS added,
  s.stray AS stray
FROM (
  SELECT
    (
      c.cell - c.cell % 2654435761
    ) / 2654435761 AS item,
    CAST(SUM(c.added) AS BIGINT) AS added,
    CAST(SUM(c.stray) AS BIGINT) AS stray
  FROM check_change AS c
  WHERE
    c.added + c.stray > 0
  GROUP BY
    (
      c.cell - c.cell % 2654435761
    ) / 2654435761
) AS s
JOIN check_item AS i
  ON i.item = s.item
ORDER BY
  s.added + s.stray DESC,
  label
LIMIT 20;
