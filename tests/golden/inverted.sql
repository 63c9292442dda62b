-- secrets
-- secret: each row is a private item that a transaction holds; an attacker wants to infer it
SELECT
  o.tid AS tid,
  o.item AS item
FROM occurrence AS o
JOIN private_item AS r
  ON r.item = o.item;

-- extensions
-- extension: each row is an occurrence of a public item that is no mole alone; larger itemsets use these
SELECT
  o.tid AS tid,
  o.item AS item
FROM occurrence AS o
JOIN judged_1 AS j
  ON j.id = o.item
WHERE
  j.verdict = 0;

-- holders
SELECT
  c.id AS id,
  o.tid AS tid
FROM occurrence AS o
JOIN counted_1 AS c
  ON c.id = o.item
WHERE
  c.support >= 20;

-- postings-64
-- posting_1: the index
SELECT
  r.id AS id,
  CAST(r.tid // 64 AS INT) AS block,
  BITSTRING_AGG(CAST(r.tid % 64 AS INT), 0, 63) AS bits
FROM (
  SELECT
    CAST(item AS BIGINT) AS id,
    tid
  FROM extension
) AS r
GROUP BY
  r.id,
  CAST(r.tid // 64 AS INT);

-- postings-4096
-- posting_1: the index
SELECT
  r.id AS id,
  CAST(r.tid // 4096 AS INT) AS block,
  BITSTRING_AGG(CAST(r.tid % 4096 AS INT), 0, 4095) AS bits
FROM (
  SELECT
    CAST(item AS BIGINT) AS id,
    tid
  FROM extension
) AS r
GROUP BY
  r.id,
  CAST(r.tid // 4096 AS INT);

-- density
-- density: counts transactions by their number of extendible items: decides between lists and bits
SELECT
  counted.held AS held,
  COUNT(*) AS transactions
FROM (
  SELECT
    r.tid AS owner,
    COUNT(*) AS held
  FROM extension AS r
  GROUP BY
    r.tid
) AS counted
GROUP BY
  counted.held
ORDER BY
  held;
