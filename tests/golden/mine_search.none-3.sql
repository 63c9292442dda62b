-- found_3: a subset of every larger itemset is rare
SELECT
  CAST(0 AS BIGINT) AS id,
  CAST(0 AS BIGINT) AS support,
  CAST(0 AS INT) AS item_1,
  CAST(0 AS INT) AS item_2,
  CAST(0 AS INT) AS item_3
WHERE
  FALSE;
