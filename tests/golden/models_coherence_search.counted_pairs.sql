-- counted_2: only the pairs that occur are counted
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY pair) AS BIGINT) AS id,
  CAST((
    pair - pair % 1000
  ) / 1000 AS BIGINT) AS parent,
  CAST(pair % 1000 AS BIGINT) AS sibling,
  CAST((
    pair - pair % 1000
  ) / 1000 AS INT) AS item_1,
  CAST(pair % 1000 AS INT) AS item_2,
  support
FROM (
  SELECT
    CAST(a.item AS BIGINT) * 1000 + b.item AS pair,
    COUNT(*) AS support
  FROM extension AS a
  JOIN extension AS b
    ON b.tid = a.tid AND b.item > a.item
  GROUP BY
    CAST(a.item AS BIGINT) * 1000 + b.item
) AS paired;
