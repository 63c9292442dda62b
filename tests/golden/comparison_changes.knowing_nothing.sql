-- knowing_nothing: what anyone would guess of anyone
SELECT
  t.transactions AS support,
  COALESCE(MAX(i.support), 0) AS hits
FROM (
  SELECT
    COUNT(*) AS transactions
  FROM basket
) AS t
LEFT JOIN (
  SELECT
    i.support AS support
  FROM item AS i
  JOIN private_item AS r
    ON r.item = i.item
) AS i
  ON i.support > 0
GROUP BY
  t.transactions;
