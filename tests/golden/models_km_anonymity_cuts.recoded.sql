-- recoded_3: each item goes to the highest node that is not split
SELECT
  p.item AS item,
  MAX(p.node) AS node
FROM path AS p
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM split_3 AS s
    WHERE
      s.item = p.node
  )
GROUP BY
  p.item;
