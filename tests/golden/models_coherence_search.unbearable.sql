-- unbearable: the empty itemset must be no mole: nothing could be suppressed
SELECT
  CAST(i.name AS TEXT) AS name,
  i.support AS support,
  t.transactions AS transactions
FROM item AS i
JOIN private_item AS r
  ON r.item = i.item
CROSS JOIN (
  SELECT
    COUNT(*) AS transactions
  FROM basket
) AS t
WHERE
  i.support * 5 > 2 * t.transactions
ORDER BY
  support DESC,
  name;
