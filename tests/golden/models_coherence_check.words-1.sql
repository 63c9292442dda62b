-- check_public: the transactions of each public item, 1 to a word
SELECT
  h.item AS item,
  CAST((
    h.tid - h.tid % 1
  ) / 1 AS INT) AS word_no,
  CAST(1 AS SMALLINT) AS bits
FROM check_held AS h
WHERE
  h.private = 0
GROUP BY
  h.item,
  CAST((
    h.tid - h.tid % 1
  ) / 1 AS INT);
