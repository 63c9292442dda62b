-- published_sets
-- published_set: each row is an itemset that the attacker knows, with its published frequency
SELECT
  LIST_SORT(LIST_DISTINCT(f.items)) AS items,
  f.frequency AS frequency
FROM file AS f;

-- faults
-- faults: counts incomplete and repeated itemsets: each needs one list and one frequency
SELECT
  COUNT(CASE WHEN p.items IS NULL OR p.frequency IS NULL THEN 1 END) AS incomplete,
  COUNT(p.items) - COUNT(DISTINCT p.items) AS repeated
FROM published_set AS p;

-- known_items
-- known_item: each row is a published item with its name, numbered by name
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY n.name) - 1 AS INT) AS item,
  n.name AS name
FROM (
  SELECT DISTINCT
    UNNEST(p.items) AS name
  FROM published_set AS p
) AS n;

-- known_sets
-- known_set: each row is a published itemset, numbered by size and items
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY LENGTH(p.items), p.items) - 1 AS INT) AS id,
  CAST(LENGTH(p.items) AS INT) AS size,
  CAST(ROUND(p.frequency * 1000000000) AS BIGINT) AS nano
FROM published_set AS p
WHERE
  LENGTH(p.items) > 0;

-- known_members
-- known_member: each row is an item of a published itemset
SELECT
  s.id AS id,
  i.item AS item
FROM (
  SELECT
    n.id AS id,
    UNNEST(n.items) AS name
  FROM (
    SELECT
      CAST(ROW_NUMBER() OVER (ORDER BY LENGTH(p.items), p.items) - 1 AS INT) AS id,
      p.items AS items
    FROM published_set AS p
    WHERE
      LENGTH(p.items) > 0
  ) AS n
) AS s
JOIN known_item AS i
  ON i.name = s.name;

-- known_frequencies
-- known_frequencies: lists the published frequencies, which an experiment perturbs
SELECT
  k.id AS id,
  k.nano AS nano
FROM known_set AS k
ORDER BY
  id;

-- sizes
-- known_size: counts published itemsets by size; their least frequency bounds the search in the data
SELECT
  k.size AS size,
  COUNT(*) AS itemsets,
  MIN(k.nano) AS nano
FROM known_set AS k
GROUP BY
  k.size
ORDER BY
  size;

-- perturbed
-- sought: each row is an itemset of an experiment, with noise in its frequency
SELECT
  k.id AS id,
  k.size AS size,
  n.nano AS nano
FROM (
  SELECT
    CAST(v.id AS INT) AS id,
    CAST(v.nano AS BIGINT) AS nano
  FROM (VALUES
    (0, 500),
    (1, -7)) AS v(id, nano)
) AS n
JOIN known_set AS k
  ON k.id = n.id;

-- next_set
-- next_set: finds a free number for itemsets that are false
SELECT
  COALESCE(MAX(k.id), -1) + 1 AS id
FROM known_set AS k;

-- false_sets
-- known_set: adds itemsets that are false, of published items
SELECT
  CAST(v.id AS INT) AS id,
  CAST(v.size AS INT) AS size,
  CAST(v.nano AS BIGINT) AS nano
FROM (VALUES
  (7, 2, 200000000)) AS v(id, size, nano);

-- false_members
-- known_member: adds the items of itemsets that are false
SELECT
  CAST(v.id AS INT) AS id,
  CAST(v.item AS INT) AS item
FROM (VALUES
  (7, 1),
  (7, 3)) AS v(id, item);

-- mined_sets
-- mined_set: each row is a frequent itemset of the renamed data
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY f.size, f.source) - 1 AS INT) AS id,
  CAST(f.size AS INT) AS size,
  f.source AS source,
  f.support AS support,
  f.doubled // 19670 AS nano
FROM (
  SELECT
    e.size AS size,
    e.source AS source,
    e.support AS support,
    2 * e.support * 1000000000 + 9835 AS doubled
  FROM (
    SELECT
      1 AS size,
      f.id AS source,
      f.support AS support
    FROM frequent_1 AS f
    UNION ALL
    SELECT
      3 AS size,
      f.id AS source,
      f.support AS support
    FROM frequent_3 AS f
  ) AS e
) AS f;

-- mined_members
-- mined_member: each row is an item of a frequent itemset of the renamed data
SELECT
  s.id AS id,
  f.item AS item
FROM (
  SELECT
    1 AS size,
    f.id AS source,
    f.item_1 AS item
  FROM frequent_1 AS f
  UNION ALL
  SELECT
    3 AS size,
    f.id AS source,
    f.item_1 AS item
  FROM frequent_3 AS f
  UNION ALL
  SELECT
    3 AS size,
    f.id AS source,
    f.item_2 AS item
  FROM frequent_3 AS f
  UNION ALL
  SELECT
    3 AS size,
    f.id AS source,
    f.item_3 AS item
  FROM frequent_3 AS f
) AS f
JOIN mined_set AS s
  ON s.size = f.size AND s.source = f.source;

-- item_pairs
-- item_pair_0: each row is a name and a code of similar frequency: the code may stand for the name
SELECT
  k.item AS known,
  m.item AS mined
FROM (
  SELECT
    i.item AS item,
    COALESCE(s.nano - 1001, 0) AS low,
    COALESCE(s.nano + 1001, 1000000000) AS high
  FROM (
    SELECT DISTINCT
      c.item AS item
    FROM known_member AS c
    JOIN known_set AS u
      ON u.id = c.id
  ) AS i
  LEFT JOIN (
    SELECT
      c.item AS item,
      u.nano AS nano
    FROM known_set AS u
    JOIN known_member AS c
      ON c.id = u.id
    WHERE
      u.size = 1
  ) AS s
    ON s.item = i.item
) AS k
JOIN (
  SELECT
    c.item AS item,
    u.nano AS nano
  FROM mined_set AS u
  JOIN mined_member AS c
    ON c.id = u.id
  WHERE
    u.size = 1
) AS m
  ON m.nano >= k.low AND m.nano <= k.high;

-- set_pairs
-- set_pair_0: each row is a published and a mined itemset of equal size and similar frequency
SELECT
  k.id AS known,
  m.id AS mined
FROM sought AS k
JOIN mined_set AS m
  ON m.size = k.size AND m.nano >= k.nano - 1001 AND m.nano <= k.nano + 1001
WHERE
  k.size > 1;

-- pruned_sets
-- set_pair_2: each row is a pair of itemsets whose items can still be matched one by one; an only choice excludes others
SELECT
  n.known AS known,
  n.mined AS mined
FROM (
  SELECT
    c.known AS known,
    c.mined AS mined,
    c.choices AS choices,
    c.rivals AS rivals,
    MIN(c.choices) OVER (PARTITION BY c.mined) AS fewest_choices,
    MIN(c.rivals) OVER (PARTITION BY c.known) AS fewest_rivals
  FROM (
    SELECT
      p.known AS known,
      p.mined AS mined,
      COUNT(*) OVER (PARTITION BY p.known) AS choices,
      COUNT(*) OVER (PARTITION BY p.mined) AS rivals
    FROM (
      SELECT
        p.known AS known,
        p.mined AS mined
      FROM set_pair_1 AS p
      JOIN known_set AS k
        ON k.id = p.known
      JOIN known_member AS c
        ON c.id = p.known
      JOIN mined_member AS d
        ON d.id = p.mined
      JOIN item_pair_1 AS i
        ON i.known = c.item AND i.mined = d.item
      GROUP BY
        p.known,
        p.mined
      HAVING
        COUNT(DISTINCT c.item) = MIN(k.size) AND COUNT(DISTINCT d.item) = MIN(k.size)
    ) AS p
  ) AS c
) AS n
WHERE
  (
    n.choices = 1 OR n.fewest_choices > 1
  )
  AND (
    n.rivals = 1 OR n.fewest_rivals > 1
  );

-- pruned_items
-- item_pair_2: each row is a name and a code whose itemsets still match; an only choice excludes others
SELECT
  n.known AS known,
  n.mined AS mined
FROM (
  SELECT
    c.known AS known,
    c.mined AS mined,
    c.choices AS choices,
    c.rivals AS rivals,
    MIN(c.choices) OVER (PARTITION BY c.mined) AS fewest_choices,
    MIN(c.rivals) OVER (PARTITION BY c.known) AS fewest_rivals
  FROM (
    SELECT
      p.known AS known,
      p.mined AS mined,
      COUNT(*) OVER (PARTITION BY p.known) AS choices,
      COUNT(*) OVER (PARTITION BY p.mined) AS rivals
    FROM (
      SELECT
        i.known AS known,
        i.mined AS mined
      FROM item_pair_1 AS i
      JOIN (
        SELECT
          c.item AS item,
          COUNT(CASE WHEN u.size > 1 THEN 1 END) AS itemsets
        FROM known_set AS u
        JOIN known_member AS c
          ON c.id = u.id
        GROUP BY
          c.item
      ) AS k
        ON k.item = i.known
      JOIN (
        SELECT
          c.item AS item,
          COUNT(CASE WHEN u.size > 1 THEN 1 END) AS itemsets
        FROM mined_set AS u
        JOIN mined_member AS c
          ON c.id = u.id
        GROUP BY
          c.item
      ) AS m
        ON m.item = i.mined
      LEFT JOIN (
        SELECT
          c.item AS known_item,
          d.item AS mined_item,
          COUNT(DISTINCT p.known) AS of_known,
          COUNT(DISTINCT p.mined) AS of_mined
        FROM set_pair_2 AS p
        JOIN known_member AS c
          ON c.id = p.known
        JOIN mined_member AS d
          ON d.id = p.mined
        GROUP BY
          c.item,
          d.item
      ) AS s
        ON s.known_item = i.known AND s.mined_item = i.mined
      WHERE
        COALESCE(s.of_known, 0) = k.itemsets AND COALESCE(s.of_mined, 0) = m.itemsets
    ) AS p
  ) AS c
) AS n
WHERE
  (
    n.choices = 1 OR n.fewest_choices > 1
  )
  AND (
    n.rivals = 1 OR n.fewest_rivals > 1
  );

-- pruned_sets-some_missing
-- set_pair_2: each row is a pair of itemsets whose items can still be matched one by one
SELECT
  p.known AS known,
  p.mined AS mined
FROM set_pair_1 AS p
JOIN known_set AS k
  ON k.id = p.known
JOIN known_member AS c
  ON c.id = p.known
JOIN mined_member AS d
  ON d.id = p.mined
JOIN item_pair_1 AS i
  ON i.known = c.item AND i.mined = d.item
GROUP BY
  p.known,
  p.mined
HAVING
  COUNT(DISTINCT c.item) = MIN(k.size) AND COUNT(DISTINCT d.item) = MIN(k.size);

-- pruned_items-some_missing
-- item_pair_2: each row is a name and a code; none is dropped, since itemsets may lack partners
SELECT
  i.known AS known,
  i.mined AS mined
FROM item_pair_1 AS i;

-- item_choices
-- item_choice: lists the codes that each name may have, with the difference of their frequencies
SELECT
  p.known AS known,
  p.mined AS mined,
  COALESCE(s.nano - m.nano, 0) AS apart
FROM item_pair_2 AS p
JOIN (
  SELECT
    c.item AS item,
    u.nano AS nano
  FROM mined_set AS u
  JOIN mined_member AS c
    ON c.id = u.id
  WHERE
    u.size = 1
) AS m
  ON m.item = p.mined
LEFT JOIN (
  SELECT
    c.item AS item,
    u.nano AS nano
  FROM known_set AS u
  JOIN known_member AS c
    ON c.id = u.id
  WHERE
    u.size = 1
) AS s
  ON s.item = p.known
ORDER BY
  known,
  mined;

-- set_choices
-- set_choice: lists the mined itemsets that each published itemset may be
SELECT
  p.known AS known,
  p.mined AS mined,
  k.nano - m.nano AS apart
FROM set_pair_2 AS p
JOIN known_set AS k
  ON k.id = p.known
JOIN mined_set AS m
  ON m.id = p.mined
ORDER BY
  known,
  mined;

-- set_numbers
-- mined_set_number: lists the itemsets with size and frequency, as numbers for the solver
SELECT
  s.id AS id,
  s.size AS size,
  s.nano AS nano
FROM mined_set AS s
ORDER BY
  id;

-- member_numbers
-- mined_member_number: lists the items of the itemsets, as numbers for the solver
SELECT
  c.id AS id,
  c.item AS item
FROM mined_member AS c
JOIN mined_set AS s
  ON s.id = c.id
ORDER BY
  id,
  item;

-- assigned
-- assigned: each row is a code with the name that the solver found for it
SELECT
  v.mined AS mined,
  v.known AS known,
  v.parts AS parts
FROM (
  SELECT
    CAST(v.mined AS INT) AS mined,
    CAST(v.known AS INT) AS known,
    CAST(v.parts AS INT) AS parts
  FROM (VALUES
    (3, 1, 500000),
    (4, 0, 1000000)) AS v(mined, known, parts)
) AS v;

-- assigned-none
-- assigned: each row is a code with the name that the solver found for it
SELECT
  v.mined AS mined,
  v.known AS known,
  v.parts AS parts
FROM (
  SELECT
    CAST(v.mined AS INT) AS mined,
    CAST(v.known AS INT) AS known,
    CAST(v.parts AS INT) AS parts
  FROM (
    SELECT
      0 AS mined,
      0 AS known,
      0 AS parts
    WHERE
      FALSE
  ) AS v
) AS v;

-- named
-- named: lists the codes with the names that the attack found
SELECT
  c.name AS code,
  k.name AS name,
  CAST(a.parts AS DOUBLE) / 1000000 AS weight
FROM assigned AS a
JOIN item AS c
  ON c.item = a.mined
JOIN known_item AS k
  ON k.item = a.known
ORDER BY
  c.item;

-- named-judged
-- named: lists the codes with the names that the attack found
SELECT
  c.name AS code,
  k.name AS name,
  CAST(a.parts AS DOUBLE) / 1000000 AS weight,
  NOT t.known IS NULL AS correct
FROM assigned AS a
JOIN item AS c
  ON c.item = a.mined
JOIN known_item AS k
  ON k.item = a.known
LEFT JOIN truth AS t
  ON t.mined = a.mined AND t.known = a.known
ORDER BY
  c.item;

-- truth
-- truth: each row is a code with its true name, from the key
SELECT
  c.item AS mined,
  k.item AS known
FROM key_pair AS p
JOIN item AS c
  ON CAST(c.name AS TEXT) = p.code
JOIN known_item AS k
  ON CAST(k.name AS TEXT) = p.name;

-- true_pairs
-- true_pair: lists codes with their true names, to measure how many names the attack got right
SELECT
  t.mined AS mined,
  t.known AS known
FROM truth AS t
ORDER BY
  mined,
  known;
