-- spots
-- found_spot_1: numbers the occurrences of items that pairs begin with, those of an item side by side
SELECT
  c.id AS id,
  c.spot AS tid,
  c.last AS last,
  ROW_NUMBER() OVER (ORDER BY c.last, c.spot) - 1 AS spot
FROM found_cohort_1 AS c
JOIN (
  SELECT
    f.met // 1000 AS id
  FROM found_2 AS f
  GROUP BY
    f.met // 1000
  HAVING
    COUNT(*) > 1
) AS rarest
  ON rarest.id = c.id;

-- posted_pairs-63
-- found_posting_2: each row is a frequent itemset and a block of bits: one bit per occurrence of its rarest item, set if the transaction holds it
SELECT
  w.id AS id,
  CAST(w.word AS INT) AS block,
  MAX(CASE WHEN TRUE THEN w.bits ELSE 0 END) AS bits_1
FROM (
  SELECT
    r.id AS id,
    r.tid // 63 AS word,
    BIT_OR(CAST(1 AS BIGINT) << CAST(r.tid % 63 AS INT)) AS bits
  FROM (
    SELECT
      pair.id AS id,
      rare.spot AS tid
    FROM found_spot_1 AS rare
    JOIN (
      SELECT
        c.spot AS tid,
        c.last AS last
      FROM found_cohort_1 AS c
      JOIN (
        SELECT DISTINCT
          f.met % 1000 AS place
        FROM found_2 AS f
      ) AS grown
        ON grown.place = c.last
    ) AS other
      ON other.tid = rare.tid AND other.last > rare.last
    JOIN (
      SELECT
        f.id AS id,
        f.met AS met
      FROM found_2 AS f
      JOIN (
        SELECT DISTINCT
          h.id AS id
        FROM (
          SELECT
            c.met // 1000 AS id
          FROM found_candidate_3 AS c
          WHERE
            c.given = 0
          UNION ALL
          SELECT
            c.sub_2 AS id
          FROM found_candidate_3 AS c
          WHERE
            c.given = 0
        ) AS h
      ) AS n
        ON n.id = f.id
    ) AS pair
      ON pair.met = rare.id * 1000 + other.last
  ) AS r
  GROUP BY
    r.id,
    r.tid // 63
) AS w
GROUP BY
  w.id,
  CAST(w.word AS INT);

-- posted-63
-- found_posting_3: each row is a frequent itemset and a block of bits: one bit per occurrence of its rarest item, set if the transaction holds it
SELECT
  c.id AS id,
  one.block AS block,
  (
    one.bits_1 & two.bits_1
  ) AS bits_1
FROM (
  SELECT
    f.id AS id,
    f.met // 1000 AS part_1,
    f.sub_2 AS part_2
  FROM found_3 AS f
  JOIN (
    SELECT DISTINCT
      h.id AS id
    FROM (
      SELECT
        c.met // 1000 AS id
      FROM found_candidate_4 AS c
      WHERE
        c.given = 0
      UNION ALL
      SELECT
        c.sub_3 AS id
      FROM found_candidate_4 AS c
      WHERE
        c.given = 0
    ) AS h
  ) AS n
    ON n.id = f.id
) AS c
JOIN found_posting_2 AS one
  ON one.id = c.part_1
JOIN found_posting_2 AS two
  ON two.id = c.part_2 AND two.block = one.block
WHERE
  (
    one.bits_1 & two.bits_1
  ) <> 0;

-- counted_in_words-63
-- found_3: each row is a frequent itemset of 3 items; its support is counted from words of bits, or given
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
    c.met AS met,
    CAST(SUM(CAST(BIT_COUNT((
      one.bits_1 & two.bits_1
    )) AS INT)) AS BIGINT) AS support
  FROM (
    SELECT
      c.met AS met,
      c.met // 1000 AS part_1,
      c.sub_2 AS part_2
    FROM found_candidate_3 AS c
    WHERE
      c.given = 0
  ) AS c
  JOIN found_posting_2 AS one
    ON one.id = c.part_1
  JOIN found_posting_2 AS two
    ON two.id = c.part_2 AND two.block = one.block
  GROUP BY
    c.met
  HAVING
    SUM(CAST(BIT_COUNT((
      one.bits_1 & two.bits_1
    )) AS INT)) >= 20
) AS m
  ON m.met = c.met
WHERE
  c.given = 1 OR NOT m.support IS NULL;

-- posted_pairs-252
-- found_posting_2: each row is a frequent itemset and a block of bits: one bit per occurrence of its rarest item, set if the transaction holds it
SELECT
  w.id AS id,
  CAST(w.word // 4 AS INT) AS block,
  MAX(CASE WHEN w.word % 4 = 0 THEN w.bits ELSE 0 END) AS bits_1,
  MAX(CASE WHEN w.word % 4 = 1 THEN w.bits ELSE 0 END) AS bits_2,
  MAX(CASE WHEN w.word % 4 = 2 THEN w.bits ELSE 0 END) AS bits_3,
  MAX(CASE WHEN w.word % 4 = 3 THEN w.bits ELSE 0 END) AS bits_4
FROM (
  SELECT
    r.id AS id,
    r.tid // 63 AS word,
    BIT_OR(CAST(1 AS BIGINT) << CAST(r.tid % 63 AS INT)) AS bits
  FROM (
    SELECT
      pair.id AS id,
      rare.spot AS tid
    FROM found_spot_1 AS rare
    JOIN (
      SELECT
        c.spot AS tid,
        c.last AS last
      FROM found_cohort_1 AS c
      JOIN (
        SELECT DISTINCT
          f.met % 1000 AS place
        FROM found_2 AS f
      ) AS grown
        ON grown.place = c.last
    ) AS other
      ON other.tid = rare.tid AND other.last > rare.last
    JOIN (
      SELECT
        f.id AS id,
        f.met AS met
      FROM found_2 AS f
      JOIN (
        SELECT DISTINCT
          h.id AS id
        FROM (
          SELECT
            c.met // 1000 AS id
          FROM found_candidate_3 AS c
          WHERE
            c.given = 0
          UNION ALL
          SELECT
            c.sub_2 AS id
          FROM found_candidate_3 AS c
          WHERE
            c.given = 0
        ) AS h
      ) AS n
        ON n.id = f.id
    ) AS pair
      ON pair.met = rare.id * 1000 + other.last
  ) AS r
  GROUP BY
    r.id,
    r.tid // 63
) AS w
GROUP BY
  w.id,
  CAST(w.word // 4 AS INT);

-- posted-252
-- found_posting_3: each row is a frequent itemset and a block of bits: one bit per occurrence of its rarest item, set if the transaction holds it
SELECT
  c.id AS id,
  one.block AS block,
  (
    one.bits_1 & two.bits_1
  ) AS bits_1,
  (
    one.bits_2 & two.bits_2
  ) AS bits_2,
  (
    one.bits_3 & two.bits_3
  ) AS bits_3,
  (
    one.bits_4 & two.bits_4
  ) AS bits_4
FROM (
  SELECT
    f.id AS id,
    f.met // 1000 AS part_1,
    f.sub_2 AS part_2
  FROM found_3 AS f
  JOIN (
    SELECT DISTINCT
      h.id AS id
    FROM (
      SELECT
        c.met // 1000 AS id
      FROM found_candidate_4 AS c
      WHERE
        c.given = 0
      UNION ALL
      SELECT
        c.sub_3 AS id
      FROM found_candidate_4 AS c
      WHERE
        c.given = 0
    ) AS h
  ) AS n
    ON n.id = f.id
) AS c
JOIN found_posting_2 AS one
  ON one.id = c.part_1
JOIN found_posting_2 AS two
  ON two.id = c.part_2 AND two.block = one.block
WHERE
  (
    one.bits_1 & two.bits_1
  ) <> 0
  OR (
    one.bits_2 & two.bits_2
  ) <> 0
  OR (
    one.bits_3 & two.bits_3
  ) <> 0
  OR (
    one.bits_4 & two.bits_4
  ) <> 0;

-- counted_in_words-252
-- found_3: each row is a frequent itemset of 3 items; its support is counted from words of bits, or given
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
    c.met AS met,
    CAST(SUM(
      CAST(BIT_COUNT((
        one.bits_1 & two.bits_1
      )) AS INT) + CAST(BIT_COUNT((
        one.bits_2 & two.bits_2
      )) AS INT) + CAST(BIT_COUNT((
        one.bits_3 & two.bits_3
      )) AS INT) + CAST(BIT_COUNT((
        one.bits_4 & two.bits_4
      )) AS INT)
    ) AS BIGINT) AS support
  FROM (
    SELECT
      c.met AS met,
      c.met // 1000 AS part_1,
      c.sub_2 AS part_2
    FROM found_candidate_3 AS c
    WHERE
      c.given = 0
  ) AS c
  JOIN found_posting_2 AS one
    ON one.id = c.part_1
  JOIN found_posting_2 AS two
    ON two.id = c.part_2 AND two.block = one.block
  GROUP BY
    c.met
  HAVING
    SUM(
      CAST(BIT_COUNT((
        one.bits_1 & two.bits_1
      )) AS INT) + CAST(BIT_COUNT((
        one.bits_2 & two.bits_2
      )) AS INT) + CAST(BIT_COUNT((
        one.bits_3 & two.bits_3
      )) AS INT) + CAST(BIT_COUNT((
        one.bits_4 & two.bits_4
      )) AS INT)
    ) >= 20
) AS m
  ON m.met = c.met
WHERE
  c.given = 1 OR NOT m.support IS NULL;
