-- counted_items
-- found_1: each row is an item that is frequent by itself, with its support
SELECT
  CAST(o.item AS BIGINT) AS id,
  o.item AS item_1,
  COUNT(*) AS support,
  CAST(ROW_NUMBER() OVER (ORDER BY COUNT(*), o.item) - 1 AS INT) AS place
FROM occurrence AS o
GROUP BY
  o.item
HAVING
  COUNT(*) >= 20
ORDER BY
  id;

-- occurring
-- found_cohort_1: each row is an occurrence of a frequent item: other items are in no frequent itemset
SELECT
  f.id AS id,
  CAST(o.tid AS BIGINT) AS spot,
  f.place AS last
FROM occurrence AS o
JOIN found_1 AS f
  ON f.id = o.item;

-- meetings
-- found_prospects_2: counts pairs of frequent items over all transactions: the size of the next level
SELECT
  CAST(COALESCE(SUM(held * (
    held - 1
  ) // 2), 0) AS BIGINT) AS meetings
FROM (
  SELECT
    spot,
    COUNT(*) AS held
  FROM found_cohort_1
  GROUP BY
    spot
) AS counted;

-- counted_in_lists-2
-- found_2: each row is a frequent itemset of 2 items; its support is counted from lists
SELECT
  ROW_NUMBER() OVER (ORDER BY met.item_1, met.item_2) AS id,
  met.support AS support,
  met.met AS met,
  met.free AS free,
  met.sub_1 AS sub_1,
  met.item_1 AS item_1,
  met.item_2 AS item_2
FROM (
  SELECT
    joined.met AS met,
    joined.support AS support,
    CASE WHEN joined.support < LEAST(prefix.support, added.support) THEN 1 ELSE 0 END AS free,
    added.id AS sub_1,
    LEAST(prefix.item_1, added.item_1) AS item_1,
    GREATEST(prefix.item_1, added.item_1) AS item_2
  FROM (
    SELECT
      cohort.id * 1000 + added.last AS met,
      COUNT(*) AS support
    FROM found_cohort_1 AS cohort
    JOIN found_cohort_1 AS added
      ON added.spot = cohort.spot AND added.last > cohort.last
    GROUP BY
      cohort.id * 1000 + added.last
    HAVING
      COUNT(*) >= 20
  ) AS joined
  JOIN found_1 AS prefix
    ON prefix.id = joined.met // 1000
  JOIN found_1 AS added
    ON added.place = joined.met % 1000
) AS met
ORDER BY
  id;

-- counted_in_lists-3
-- found_3: each row is a frequent itemset of 3 items; its support is counted from lists
SELECT
  ROW_NUMBER() OVER (ORDER BY met.item_1, met.item_2, met.item_3) AS id,
  met.support AS support,
  met.met AS met,
  met.free AS free,
  met.sub_1 AS sub_1,
  met.sub_2 AS sub_2,
  met.item_1 AS item_1,
  met.item_2 AS item_2,
  met.item_3 AS item_3
FROM (
  SELECT
    joined.met AS met,
    joined.support AS support,
    CASE
      WHEN joined.support < LEAST(prefix.support, sibling.support, other_1.support)
      THEN 1
      ELSE 0
    END AS free,
    other_1.id AS sub_1,
    sibling.id AS sub_2,
    LEAST(prefix.item_1, added.item_1) AS item_1,
    GREATEST(prefix.item_1, LEAST(prefix.item_2, added.item_1)) AS item_2,
    GREATEST(prefix.item_2, added.item_1) AS item_3
  FROM (
    SELECT
      cohort.id * 1000 + added.last AS met,
      COUNT(*) AS support
    FROM found_cohort_2 AS cohort
    JOIN found_cohort_2 AS added
      ON added.spot = cohort.spot AND added.last > cohort.last
    GROUP BY
      cohort.id * 1000 + added.last
    HAVING
      COUNT(*) >= 20
  ) AS joined
  JOIN found_2 AS prefix
    ON prefix.id = joined.met // 1000
  JOIN found_1 AS added
    ON added.place = joined.met % 1000
  JOIN found_2 AS other_1
    ON other_1.met = prefix.sub_1 * 1000 + (
      joined.met % 1000
    )
  JOIN found_2 AS sibling
    ON sibling.met = (
      prefix.met // 1000
    ) * 1000 + (
      joined.met % 1000
    )
) AS met
ORDER BY
  id;

-- met_in_lists
-- found_met_2: each row is a frequent itemset; counted part by part, since rare ones fill the memory
SELECT
  cohort.id * 1000 + added.last AS met,
  COUNT(*) AS support
FROM found_cohort_1 AS cohort
JOIN found_cohort_1 AS added
  ON added.spot = cohort.spot AND added.last > cohort.last
WHERE
  cohort.last % 3 = 1
GROUP BY
  cohort.id * 1000 + added.last
HAVING
  COUNT(*) >= 20;

-- counted_in_lists-met
-- found_2: each row is a frequent itemset of 2 items; its support is counted from lists
SELECT
  ROW_NUMBER() OVER (ORDER BY met.item_1, met.item_2) AS id,
  met.support AS support,
  met.met AS met,
  met.free AS free,
  met.sub_1 AS sub_1,
  met.item_1 AS item_1,
  met.item_2 AS item_2
FROM (
  SELECT
    joined.met AS met,
    joined.support AS support,
    CASE WHEN joined.support < LEAST(prefix.support, added.support) THEN 1 ELSE 0 END AS free,
    added.id AS sub_1,
    LEAST(prefix.item_1, added.item_1) AS item_1,
    GREATEST(prefix.item_1, added.item_1) AS item_2
  FROM found_met_2 AS joined
  JOIN found_1 AS prefix
    ON prefix.id = joined.met // 1000
  JOIN found_1 AS added
    ON added.place = joined.met % 1000
) AS met
ORDER BY
  id;

-- prospects-3
-- found_prospects_3: estimates the size of the next level, which decides between lists and bits
SELECT
  CAST(COALESCE(SUM(s.members * (
    s.members - 1
  ) // 2), 0) AS BIGINT) AS candidates,
  CAST(COALESCE(SUM(s.held), 0) AS BIGINT) AS held,
  CAST(COALESCE(SUM(s.held * (
    s.others // s.places
  )), 0) AS BIGINT) AS meetings,
  CAST(COALESCE(SUM(s.places), 0) AS BIGINT) AS places
FROM (
  SELECT
    g.members AS members,
    g.held AS held,
    100 * g.held * (
      g.members - 1
    ) AS others,
    g.members * p.support AS places
  FROM (
    SELECT
      COUNT(*) AS members,
      CAST(SUM(f.support) AS BIGINT) AS held,
      f.met // 1000 AS prefix
    FROM found_2 AS f
    GROUP BY
      f.met // 1000
  ) AS g
  JOIN found_1 AS p
    ON p.id = g.prefix
) AS s;

-- prospects-4
-- found_prospects_4: estimates the size of the next level, which decides between lists and bits
SELECT
  CAST(COALESCE(SUM(s.members * (
    s.members - 1
  ) // 2), 0) AS BIGINT) AS candidates,
  CAST(COALESCE(SUM(s.held), 0) AS BIGINT) AS held,
  CAST(COALESCE(SUM(s.held * (
    s.others // s.places
  )), 0) AS BIGINT) AS meetings,
  CAST(COALESCE(SUM(s.places), 0) AS BIGINT) AS places
FROM (
  SELECT
    g.members AS members,
    g.held AS held,
    100 * g.held * (
      g.members - 1
    ) AS others,
    g.members * p.support AS places
  FROM (
    SELECT
      COUNT(*) AS members,
      CAST(SUM(f.support) AS BIGINT) AS held,
      f.met // 1000 AS prefix
    FROM found_3 AS f
    GROUP BY
      f.met // 1000
  ) AS g
  JOIN found_2 AS p
    ON p.id = g.prefix
) AS s;

-- cohorts-2
-- found_cohort_2: each row is a frequent itemset and a transaction that holds it; itemsets that share no smaller one with another cannot grow and are left out
SELECT
  frequent.id AS id,
  cohort.id * 5000 + (
    cohort.spot % 5000
  ) AS spot,
  added.last AS last
FROM found_cohort_1 AS cohort
JOIN found_cohort_1 AS added
  ON added.spot = cohort.spot AND added.last > cohort.last
JOIN (
  SELECT
    f.id AS id,
    f.met AS met
  FROM found_2 AS f
  JOIN (
    SELECT
      s.met // 1000 AS prefix
    FROM found_2 AS s
    GROUP BY
      s.met // 1000
    HAVING
      COUNT(*) > 1
  ) AS shared
    ON shared.prefix = f.met // 1000
) AS frequent
  ON frequent.met = cohort.id * 1000 + added.last;

-- cohorts-3
-- found_cohort_3: each row is a frequent itemset and a transaction that holds it; itemsets that share no smaller one with another cannot grow and are left out
SELECT
  frequent.id AS id,
  cohort.id * 5000 + (
    cohort.spot % 5000
  ) AS spot,
  added.last AS last
FROM found_cohort_2 AS cohort
JOIN found_cohort_2 AS added
  ON added.spot = cohort.spot AND added.last > cohort.last
JOIN (
  SELECT
    f.id AS id,
    f.met AS met
  FROM found_3 AS f
  JOIN (
    SELECT
      s.met // 1000 AS prefix
    FROM found_3 AS s
    GROUP BY
      s.met // 1000
    HAVING
      COUNT(*) > 1
  ) AS shared
    ON shared.prefix = f.met // 1000
) AS frequent
  ON frequent.met = cohort.id * 1000 + added.last;
