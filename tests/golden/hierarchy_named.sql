-- words
-- word: each row is a word in the name of a public item
SELECT
  w.item AS item,
  w.word AS word,
  w.place AS place,
  w.before AS before
FROM (
  SELECT
    u.item AS item,
    u.word AS word,
    u.place AS place,
    LAG(u.word) OVER (PARTITION BY u.item ORDER BY u.place) AS before,
    ROW_NUMBER() OVER (PARTITION BY u.item, u.word ORDER BY u.place) AS turn
  FROM (
    SELECT
      t.item AS item,
      UNNEST(t.words) AS word,
      UNNEST(RANGE(0, LENGTH(t.words))) AS place
    FROM (
      SELECT
        i.item AS item,
        STR_SPLIT(
          TRANSLATE(
            CAST(i.name AS TEXT),
            'ABCDEFGHIJKLMNOPQRSTUVWXYZ!"#$%&()*+,./:;<=>?@[]^_`{|}~',
            'abcdefghijklmnopqrstuvwxyz                             '
          ),
          ' '
        ) AS words
      FROM item AS i
      JOIN public_item AS r
        ON r.item = i.item
    ) AS t
  ) AS u
) AS w
WHERE
  w.turn = 1
  AND w.word LIKE '___%'
  AND TRANSLATE(w.word, '0123456789-''', '') <> ''
  AND NOT w.word IN ('and', 'for', 'from', 'the', 'with');

-- known
-- known_word: each row is a word of several items that 20 hold, with its rank
SELECT
  w.word AS word,
  COUNT(*) AS items,
  ROW_NUMBER() OVER (ORDER BY COUNT(*) DESC, w.word) AS rank
FROM word AS w
JOIN item AS i
  ON i.item = w.item
WHERE
  i.support >= 20
GROUP BY
  w.word
HAVING
  COUNT(*) > 1;

-- known-persons
-- known_word: each row is a word of several items that 20 hold, with its rank
SELECT
  w.word AS word,
  COUNT(*) AS items,
  ROW_NUMBER() OVER (ORDER BY COUNT(*) DESC, w.word) AS rank
FROM word AS w
JOIN item AS i
  ON i.item = w.item
WHERE
  i.persons >= 20
GROUP BY
  w.word
HAVING
  COUNT(*) > 1;

-- joined
-- joined: tells if most items share a word of their names with others
SELECT
  CASE WHEN 2 * COUNT(DISTINCT w.item) > COUNT(DISTINCT r.item) THEN 1 ELSE 0 END AS joined
FROM public_item AS r
LEFT JOIN (
  SELECT
    o.item AS item
  FROM word AS o
  JOIN known_word AS n
    ON n.word = o.word
) AS w
  ON w.item = r.item;

-- leanings
-- leaning: each row is an item and the word of its name that most share
SELECT
  w.item AS item,
  MIN(n.rank) AS rank
FROM word AS w
JOIN known_word AS n
  ON n.word = w.word
WHERE
  n.items BETWEEN 4 AND 256
GROUP BY
  w.item;

-- seats
-- seat: each row is an item, its word and its place among the items there
WITH chosen AS (
  SELECT
    w.item AS item,
    MIN(n.rank) AS rank
  FROM word AS w
  JOIN known_word AS n
    ON n.word = w.word
  JOIN (
    SELECT
      l.rank AS rank
    FROM leaning AS l
    GROUP BY
      l.rank
    HAVING
      COUNT(*) >= 4
  ) AS g
    ON g.rank = n.rank
  GROUP BY
    w.item
), further AS (
  SELECT
    o.item AS item,
    MAX(CASE WHEN o.turn = 1 THEN o.rank END) AS rank_1,
    MAX(CASE WHEN o.turn = 2 THEN o.rank END) AS rank_2,
    MAX(CASE WHEN o.turn = 3 THEN o.rank END) AS rank_3
  FROM (
    SELECT
      w.item AS item,
      n.rank AS rank,
      ROW_NUMBER() OVER (PARTITION BY w.item ORDER BY n.rank) AS turn
    FROM word AS w
    JOIN known_word AS n
      ON n.word = w.word
    LEFT JOIN chosen AS c
      ON c.item = w.item
    WHERE
      c.rank IS NULL OR c.rank <> n.rank
  ) AS o
  GROUP BY
    o.item
)
SELECT
  s.item AS item,
  s.rank AS rank,
  ROW_NUMBER() OVER (PARTITION BY s.rank ORDER BY s.rank_1, s.rank_2, s.rank_3, s.item) - 1 AS place,
  COUNT(*) OVER (PARTITION BY s.rank) AS size
FROM (
  SELECT
    i.item AS item,
    COALESCE(f.rank_1, 2147483647) AS rank_1,
    COALESCE(f.rank_2, 2147483647) AS rank_2,
    COALESCE(f.rank_3, 2147483647) AS rank_3,
    CASE WHEN r.item IS NULL THEN -1 ELSE COALESCE(c.rank, 0) END AS rank
  FROM item AS i
  LEFT JOIN public_item AS r
    ON r.item = i.item
  LEFT JOIN chosen AS c
    ON c.item = i.item
  LEFT JOIN further AS f
    ON f.item = i.item
) AS s;

-- ladders
-- ladder: each row is an item, its word and the numbers of its nodes below that word
SELECT
  e.item AS item,
  e.rank AS rank,
  e.at1 AS at1,
  e.at2 AS at2,
  e.at3 AS at3,
  0 AS at4
FROM (
  SELECT
    n.item AS item,
    n.rank AS rank,
    n.at0 AS at0,
    n.at1 AS at1,
    n.at2 AS at2,
    n.at2 * n.wide // n.size2 AS at3,
    n.wide AS size3
  FROM (
    SELECT
      e.item AS item,
      e.rank AS rank,
      e.at0 AS at0,
      e.at1 AS at1,
      e.at2 AS at2,
      e.size2 AS size2,
      GREATEST(1, (
        e.size2 + 2
      ) // 4) AS wide
    FROM (
      SELECT
        n.item AS item,
        n.rank AS rank,
        n.at0 AS at0,
        n.at1 AS at1,
        n.at1 * n.wide // n.size1 AS at2,
        n.wide AS size2
      FROM (
        SELECT
          e.item AS item,
          e.rank AS rank,
          e.at0 AS at0,
          e.at1 AS at1,
          e.size1 AS size1,
          GREATEST(1, (
            e.size1 + 2
          ) // 4) AS wide
        FROM (
          SELECT
            n.item AS item,
            n.rank AS rank,
            n.at0 AS at0,
            n.at0 * n.wide // n.size0 AS at1,
            n.wide AS size1
          FROM (
            SELECT
              e.item AS item,
              e.rank AS rank,
              e.at0 AS at0,
              e.size0 AS size0,
              GREATEST(1, (
                e.size0 + 2
              ) // 4) AS wide
            FROM (
              SELECT
                s.item AS item,
                s.rank AS rank,
                s.place AS at0,
                s.size AS size0
              FROM seat AS s
            ) AS e
          ) AS n
        ) AS e
      ) AS n
    ) AS e
  ) AS n
) AS e;

-- shared
-- shared: each row is a node and a word that all its items share, one of them held by 20
SELECT
  1 AS level,
  e.rank AS rank,
  e.at1 AS "at",
  w.word AS word,
  MIN(w.place) AS place,
  CASE
    WHEN MIN(w.before) = MAX(w.before) AND COUNT(w.before) = COUNT(*)
    THEN MIN(w.before)
  END AS before
FROM ladder AS e
JOIN (
  SELECT
    x.rank AS rank,
    x.at1 AS "at",
    COUNT(*) AS items,
    SUM(CASE WHEN i.support >= 20 THEN 1 ELSE 0 END) AS told
  FROM ladder AS x
  JOIN item AS i
    ON i.item = x.item
  GROUP BY
    x.rank,
    x.at1
) AS m
  ON m.rank = e.rank AND m."at" = e.at1
JOIN word AS w
  ON w.item = e.item
LEFT JOIN known_word AS n
  ON n.word = w.word AND n.rank = e.rank
WHERE
  m.told > 0 OR NOT n.word IS NULL
GROUP BY
  e.rank,
  e.at1,
  w.word,
  m.items
HAVING
  COUNT(*) = m.items
UNION ALL
SELECT
  2 AS level,
  e.rank AS rank,
  e.at2 AS "at",
  w.word AS word,
  MIN(w.place) AS place,
  CASE
    WHEN MIN(w.before) = MAX(w.before) AND COUNT(w.before) = COUNT(*)
    THEN MIN(w.before)
  END AS before
FROM ladder AS e
JOIN (
  SELECT
    x.rank AS rank,
    x.at2 AS "at",
    COUNT(*) AS items,
    SUM(CASE WHEN i.support >= 20 THEN 1 ELSE 0 END) AS told
  FROM ladder AS x
  JOIN item AS i
    ON i.item = x.item
  GROUP BY
    x.rank,
    x.at2
) AS m
  ON m.rank = e.rank AND m."at" = e.at2
JOIN word AS w
  ON w.item = e.item
LEFT JOIN known_word AS n
  ON n.word = w.word AND n.rank = e.rank
WHERE
  m.told > 0 OR NOT n.word IS NULL
GROUP BY
  e.rank,
  e.at2,
  w.word,
  m.items
HAVING
  COUNT(*) = m.items
UNION ALL
SELECT
  3 AS level,
  e.rank AS rank,
  e.at3 AS "at",
  w.word AS word,
  MIN(w.place) AS place,
  CASE
    WHEN MIN(w.before) = MAX(w.before) AND COUNT(w.before) = COUNT(*)
    THEN MIN(w.before)
  END AS before
FROM ladder AS e
JOIN (
  SELECT
    x.rank AS rank,
    x.at3 AS "at",
    COUNT(*) AS items,
    SUM(CASE WHEN i.support >= 20 THEN 1 ELSE 0 END) AS told
  FROM ladder AS x
  JOIN item AS i
    ON i.item = x.item
  GROUP BY
    x.rank,
    x.at3
) AS m
  ON m.rank = e.rank AND m."at" = e.at3
JOIN word AS w
  ON w.item = e.item
LEFT JOIN known_word AS n
  ON n.word = w.word AND n.rank = e.rank
WHERE
  m.told > 0 OR NOT n.word IS NULL
GROUP BY
  e.rank,
  e.at3,
  w.word,
  m.items
HAVING
  COUNT(*) = m.items
UNION ALL
SELECT
  4 AS level,
  e.rank AS rank,
  e.at4 AS "at",
  w.word AS word,
  MIN(w.place) AS place,
  CASE
    WHEN MIN(w.before) = MAX(w.before) AND COUNT(w.before) = COUNT(*)
    THEN MIN(w.before)
  END AS before
FROM ladder AS e
JOIN (
  SELECT
    x.rank AS rank,
    x.at4 AS "at",
    COUNT(*) AS items,
    SUM(CASE WHEN i.support >= 20 THEN 1 ELSE 0 END) AS told
  FROM ladder AS x
  JOIN item AS i
    ON i.item = x.item
  GROUP BY
    x.rank,
    x.at4
) AS m
  ON m.rank = e.rank AND m."at" = e.at4
JOIN word AS w
  ON w.item = e.item
LEFT JOIN known_word AS n
  ON n.word = w.word AND n.rank = e.rank
WHERE
  m.told > 0 OR NOT n.word IS NULL
GROUP BY
  e.rank,
  e.at4,
  w.word,
  m.items
HAVING
  COUNT(*) = m.items;

-- labels
-- tree_label: each row is a node and its label: the words that its items share
SELECT
  t.level AS level,
  t.rank AS rank,
  t."at" AS "at",
  t.label AS label,
  ROW_NUMBER() OVER (PARTITION BY t.level, t.label ORDER BY t.rank, t."at") AS turn
FROM (
  SELECT
    n.level AS level,
    n.rank AS rank,
    n."at" AS "at",
    COALESCE(SUBSTRING(s.text, 3), 'others') AS label
  FROM (
    SELECT DISTINCT
      1 AS level,
      e.rank AS rank,
      e.at1 AS "at"
    FROM ladder AS e
    UNION ALL
    SELECT DISTINCT
      2 AS level,
      e.rank AS rank,
      e.at2 AS "at"
    FROM ladder AS e
    UNION ALL
    SELECT DISTINCT
      3 AS level,
      e.rank AS rank,
      e.at3 AS "at"
    FROM ladder AS e
    UNION ALL
    SELECT DISTINCT
      4 AS level,
      e.rank AS rank,
      e.at4 AS "at"
    FROM ladder AS e
  ) AS n
  LEFT JOIN (
    SELECT
      w.level AS level,
      w.rank AS rank,
      w."at" AS "at",
      LISTAGG(w.gap || w.word, ''
      ORDER BY
        w.place,
        w.word) AS text
    FROM (
      SELECT
        h.level AS level,
        h.rank AS rank,
        h."at" AS "at",
        h.word AS word,
        h.place AS place,
        CASE
          WHEN h.before = LAG(h.word) OVER (PARTITION BY h.level, h.rank, h."at" ORDER BY h.place, h.word)
          THEN ' '
          ELSE ', '
        END AS gap
      FROM shared AS h
    ) AS w
    GROUP BY
      w.level,
      w.rank,
      w."at"
  ) AS s
    ON s.level = n.level AND s.rank = n.rank AND s."at" = n."at"
) AS t;

-- given
-- given_hierarchy: each row is an item with its nodes, named by the words they share
SELECT
  CAST(i.name AS TEXT) AS name,
  n1.label || CASE WHEN n1.turn > 1 THEN ' ' || CAST(n1.turn AS TEXT) ELSE '' END || ' …' AS level1,
  n2.label || CASE WHEN n2.turn > 1 THEN ' ' || CAST(n2.turn AS TEXT) ELSE '' END || ' …' AS level2,
  n3.label || CASE WHEN n3.turn > 1 THEN ' ' || CAST(n3.turn AS TEXT) ELSE '' END || ' …' AS level3,
  n4.label || CASE WHEN n4.turn > 1 THEN ' ' || CAST(n4.turn AS TEXT) ELSE '' END || ' …' AS level4
FROM ladder AS e
JOIN item AS i
  ON i.item = e.item
JOIN tree_label AS n1
  ON n1.level = 1 AND n1.rank = e.rank AND n1."at" = e.at1
JOIN tree_label AS n2
  ON n2.level = 2 AND n2.rank = e.rank AND n2."at" = e.at2
JOIN tree_label AS n3
  ON n3.level = 3 AND n3.rank = e.rank AND n3."at" = e.at3
JOIN tree_label AS n4
  ON n4.level = 4 AND n4.rank = e.rank AND n4."at" = e.at4;
