-- check_held: transactions as they are looked at, items by rarity
SELECT
  h.tid AS tid,
  i.item AS item,
  h.tid * 2654435761 + i.item AS place,
  b.size AS size
FROM (
  SELECT
    CAST((
      p.pair - p.pair % 2654435761
    ) / 2654435761 AS BIGINT) AS tid,
    p.pair % 2654435761 AS number
  FROM check_pair AS p
) AS h
JOIN check_item AS i
  ON i.number = h.number
JOIN (
  SELECT
    CAST((
      p.pair - p.pair % 2654435761
    ) / 2654435761 AS BIGINT) AS tid,
    COUNT(*) AS size
  FROM check_pair AS p
  GROUP BY
    CAST((
      p.pair - p.pair % 2654435761
    ) / 2654435761 AS BIGINT)
) AS b
  ON b.tid = h.tid
ORDER BY
  tid,
  item;
