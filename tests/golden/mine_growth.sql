-- candidates-2
-- found_candidate_2: each row is an itemset of 2 items whose every subset is frequent; it is given if its support follows from theirs
SELECT
  c.met AS met,
  c.bound AS bound,
  c.given AS given,
  c.sub_1 AS sub_1,
  LEAST(prefix.item_1, added.item_1) AS item_1,
  GREATEST(prefix.item_1, added.item_1) AS item_2
FROM (
  SELECT
    prefix.id * 1000 + sibling.place AS met,
    LEAST(prefix.support, sibling.support) AS bound,
    0 AS given,
    sibling.id AS sub_1
  FROM found_1 AS prefix
  JOIN found_1 AS sibling
    ON prefix.place < sibling.place
) AS c
JOIN found_1 AS prefix
  ON prefix.id = c.met // 1000
JOIN found_1 AS added
  ON added.place = c.met % 1000;

-- candidates-3
-- found_candidate_3: each row is an itemset of 3 items whose every subset is frequent; it is given if its support follows from theirs
SELECT
  c.met AS met,
  c.bound AS bound,
  c.given AS given,
  c.sub_1 AS sub_1,
  c.sub_2 AS sub_2,
  LEAST(prefix.item_1, added.item_1) AS item_1,
  GREATEST(prefix.item_1, LEAST(prefix.item_2, added.item_1)) AS item_2,
  GREATEST(prefix.item_2, added.item_1) AS item_3
FROM (
  SELECT
    prefix.id * 1000 + (
      sibling.met % 1000
    ) AS met,
    LEAST(prefix.support, sibling.support, other_1.support) AS bound,
    CASE WHEN prefix.free = 0 OR sibling.free = 0 OR other_1.free = 0 THEN 1 ELSE 0 END AS given,
    other_1.id AS sub_1,
    sibling.id AS sub_2
  FROM found_2 AS prefix
  JOIN found_2 AS sibling
    ON sibling.met // 1000 = prefix.met // 1000 AND sibling.met > prefix.met
  JOIN found_2 AS other_1
    ON other_1.met = prefix.sub_1 * 1000 + (
      sibling.met % 1000
    )
) AS c
JOIN found_2 AS prefix
  ON prefix.id = c.met // 1000
JOIN found_1 AS added
  ON added.place = c.met % 1000;

-- candidates-4
-- found_candidate_4: each row is an itemset of 4 items whose every subset is frequent; it is given if its support follows from theirs
SELECT
  c.met AS met,
  c.bound AS bound,
  c.given AS given,
  c.sub_1 AS sub_1,
  c.sub_2 AS sub_2,
  c.sub_3 AS sub_3,
  LEAST(prefix.item_1, added.item_1) AS item_1,
  GREATEST(prefix.item_1, LEAST(prefix.item_2, added.item_1)) AS item_2,
  GREATEST(prefix.item_2, LEAST(prefix.item_3, added.item_1)) AS item_3,
  GREATEST(prefix.item_3, added.item_1) AS item_4
FROM (
  SELECT
    prefix.id * 1000 + (
      sibling.met % 1000
    ) AS met,
    LEAST(prefix.support, sibling.support, other_1.support, other_2.support) AS bound,
    CASE
      WHEN prefix.free = 0 OR sibling.free = 0 OR other_1.free = 0 OR other_2.free = 0
      THEN 1
      ELSE 0
    END AS given,
    other_1.id AS sub_1,
    other_2.id AS sub_2,
    sibling.id AS sub_3
  FROM found_3 AS prefix
  JOIN found_3 AS sibling
    ON sibling.met // 1000 = prefix.met // 1000 AND sibling.met > prefix.met
  JOIN found_3 AS other_1
    ON other_1.met = prefix.sub_1 * 1000 + (
      sibling.met % 1000
    )
  JOIN found_3 AS other_2
    ON other_2.met = prefix.sub_2 * 1000 + (
      sibling.met % 1000
    )
) AS c
JOIN found_3 AS prefix
  ON prefix.id = c.met // 1000
JOIN found_1 AS added
  ON added.place = c.met % 1000;

-- possible-4
-- found_possible_4: counts the itemsets of 4 items whose every subset is frequent, before they are made
SELECT
  COUNT(*) AS itemsets
FROM (
  SELECT
    prefix.id * 1000 + (
      sibling.met % 1000
    ) AS met,
    LEAST(prefix.support, sibling.support, other_1.support, other_2.support) AS bound,
    CASE
      WHEN prefix.free = 0 OR sibling.free = 0 OR other_1.free = 0 OR other_2.free = 0
      THEN 1
      ELSE 0
    END AS given,
    other_1.id AS sub_1,
    other_2.id AS sub_2,
    sibling.id AS sub_3
  FROM found_3 AS prefix
  JOIN found_3 AS sibling
    ON sibling.met // 1000 = prefix.met // 1000 AND sibling.met > prefix.met
  JOIN found_3 AS other_1
    ON other_1.met = prefix.sub_1 * 1000 + (
      sibling.met % 1000
    )
  JOIN found_3 AS other_2
    ON other_2.met = prefix.sub_2 * 1000 + (
      sibling.met % 1000
    )
) AS j;

-- grown-2
-- found_2: each row is a frequent itemset of 2 items; its support is counted from somewhere, or given
SELECT
  ROW_NUMBER() OVER (ORDER BY c.item_1, c.item_2) AS id,
  COALESCE(m.support, c.bound) AS support,
  c.met AS met,
  CASE WHEN m.support < c.bound THEN 1 ELSE 0 END AS free,
  c.sub_1 AS sub_1,
  c.item_1 AS item_1,
  c.item_2 AS item_2
FROM found_candidate_2 AS c
LEFT JOIN (
  SELECT
    c.met,
    c.support
  FROM counts AS c
) AS m
  ON m.met = c.met
WHERE
  c.given = 1 OR NOT m.support IS NULL;

-- grown-3
-- found_3: each row is a frequent itemset of 3 items; its support is counted from somewhere, or given
SELECT
  ROW_NUMBER() OVER (ORDER BY c.item_1, c.item_2, c.item_3) AS id,
  COALESCE(m.support, c.bound) AS support,
  c.met AS met,
  CASE WHEN m.support < c.bound THEN 1 ELSE 0 END AS free,
  c.sub_1 AS sub_1,
  c.sub_2 AS sub_2,
  c.item_1 AS item_1,
  c.item_2 AS item_2,
  c.item_3 AS item_3
FROM found_candidate_3 AS c
LEFT JOIN (
  SELECT
    c.met,
    c.support
  FROM counts AS c
) AS m
  ON m.met = c.met
WHERE
  c.given = 1 OR NOT m.support IS NULL;

-- none-3
-- found_3: has no row: every itemset of 3 items has a subset that is not frequent
SELECT
  CAST(0 AS BIGINT) AS id,
  CAST(0 AS BIGINT) AS support,
  CAST(0 AS INT) AS item_1,
  CAST(0 AS INT) AS item_2,
  CAST(0 AS INT) AS item_3
WHERE
  FALSE;
