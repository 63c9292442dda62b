-- check_secrets: the transactions of each private item, 63 to a word
SELECT
  h.item AS item,
  CAST((
    h.tid - h.tid % 63
  ) / 63 AS INT) AS word_no,
  BIT_OR(CAST(1 AS BIGINT) << CAST(h.tid % 63 AS INT)) AS bits
FROM check_held AS h
WHERE
  h.private = 1
GROUP BY
  h.item,
  CAST((
    h.tid - h.tid % 63
  ) / 63 AS INT);
