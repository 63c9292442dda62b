-- check_set_3: what is known by who knows 3 items
SELECT
  ROW_NUMBER() OVER (ORDER BY n.parent, n.item) - 1 AS id,
  n.parent AS parent,
  n.item AS item,
  n.support AS support
FROM (
  SELECT
    CAST((
      r.pair - r.pair % 2654435761
    ) / 2654435761 AS BIGINT) AS parent,
    r.pair % 2654435761 AS item,
    COUNT(*) AS support
  FROM (
    SELECT
      d.parent * 2654435761 + d.item AS pair
    FROM check_reached_3 AS d
  ) AS r
  GROUP BY
    r.pair
) AS n
JOIN check_set_2 AS s
  ON s.id = n.parent
WHERE
  n.support < s.support;
