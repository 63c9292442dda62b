-- coherence-reached
-- check_verdict: computes the checker's answer again: the statement fails unless the promise holds
SELECT
  CAST(CASE
    WHEN v.faults = 0
    THEN '1'
    ELSE CAST(v.faults AS TEXT) || ' faults: the release does not keep its promise'
  END AS INT) AS kept
FROM (
  SELECT
    CAST(COALESCE(SUM(f.faults), 0) AS BIGINT) AS faults
  FROM (
    SELECT
      COUNT(*) AS faults
    FROM (
      SELECT
        COUNT(*) AS support
      FROM check_key AS r
    ) AS t
    WHERE
      t.support > 0 AND t.support < 20
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM (
      SELECT
        s.item AS item,
        s.number AS hits
      FROM (
        SELECT
          r.item AS item,
          CAST(SUM(BIT_COUNT(r.bits)) AS BIGINT) AS number
        FROM check_secret AS r
        WHERE
          r.bits <> 0
        GROUP BY
          r.item
      ) AS s
    ) AS x
    CROSS JOIN (
      SELECT
        COUNT(*) AS support
      FROM check_key AS r
    ) AS t
    WHERE
      x.hits * 5 > 2 * t.support
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_set_1 AS t
    WHERE
      t.support < 20
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_suspect_1 AS s
    JOIN check_set_1 AS t
      ON t.id = s.id
    WHERE
      s.hits * 5 > 2 * t.support
    UNION ALL
    SELECT
      CASE WHEN a.n = b.n THEN 0 ELSE 1 END AS faults
    FROM (
      SELECT
        COUNT(*) AS n
      FROM check_set_1 AS r
    ) AS a
    CROSS JOIN (
      SELECT
        COUNT(*) AS n
      FROM check_fine_1 AS r
    ) AS b
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_set_2 AS t
    WHERE
      t.support < 20
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_suspect_2 AS s
    JOIN check_set_2 AS t
      ON t.id = s.id
    WHERE
      s.hits * 5 > 2 * t.support
    UNION ALL
    SELECT
      CASE WHEN a.n = b.n THEN 0 ELSE 1 END AS faults
    FROM (
      SELECT
        COUNT(*) AS n
      FROM check_set_2 AS r
    ) AS a
    CROSS JOIN (
      SELECT
        COUNT(*) AS n
      FROM check_fine_2 AS r
    ) AS b
  ) AS f
) AS v;

-- coherence-ended
-- check_verdict: computes the checker's answer again: the statement fails unless the promise holds
SELECT
  CAST(CASE
    WHEN v.faults = 0
    THEN '1'
    ELSE CAST(v.faults AS TEXT) || ' faults: the release does not keep its promise'
  END AS INT) AS kept
FROM (
  SELECT
    CAST(COALESCE(SUM(f.faults), 0) AS BIGINT) AS faults
  FROM (
    SELECT
      COUNT(*) AS faults
    FROM (
      SELECT
        COUNT(*) AS support
      FROM check_key AS r
    ) AS t
    WHERE
      t.support > 0 AND t.support < 20
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM (
      SELECT
        s.item AS item,
        s.number AS hits
      FROM (
        SELECT
          r.item AS item,
          CAST(SUM(BIT_COUNT(r.bits)) AS BIGINT) AS number
        FROM check_secret AS r
        WHERE
          r.bits <> 0
        GROUP BY
          r.item
      ) AS s
    ) AS x
    CROSS JOIN (
      SELECT
        COUNT(*) AS support
      FROM check_key AS r
    ) AS t
    WHERE
      x.hits * 5 > 2 * t.support
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_set_1 AS t
    WHERE
      t.support < 20
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_suspect_1 AS s
    JOIN check_set_1 AS t
      ON t.id = s.id
    WHERE
      s.hits * 5 > 2 * t.support
    UNION ALL
    SELECT
      CASE WHEN a.n = b.n THEN 0 ELSE 1 END AS faults
    FROM (
      SELECT
        COUNT(*) AS n
      FROM check_set_1 AS r
    ) AS a
    CROSS JOIN (
      SELECT
        COUNT(*) AS n
      FROM check_fine_1 AS r
    ) AS b
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_set_2 AS t
    WHERE
      t.support < 20
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_suspect_2 AS s
    JOIN check_set_2 AS t
      ON t.id = s.id
    WHERE
      s.hits * 5 > 2 * t.support
    UNION ALL
    SELECT
      CASE WHEN a.n = b.n THEN 0 ELSE 1 END AS faults
    FROM (
      SELECT
        COUNT(*) AS n
      FROM check_set_2 AS r
    ) AS a
    CROSS JOIN (
      SELECT
        COUNT(*) AS n
      FROM check_fine_2 AS r
    ) AS b
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_set_2 AS t
  ) AS f
) AS v;

-- coherence-0
-- check_verdict: computes the checker's answer again: the statement fails unless the promise holds
SELECT
  CAST(CASE
    WHEN v.faults = 0
    THEN '1'
    ELSE CAST(v.faults AS TEXT) || ' faults: the release does not keep its promise'
  END AS INT) AS kept
FROM (
  SELECT
    CAST(COALESCE(SUM(f.faults), 0) AS BIGINT) AS faults
  FROM (
    SELECT
      COUNT(*) AS faults
    FROM (
      SELECT
        COUNT(*) AS support
      FROM check_key AS r
    ) AS t
    WHERE
      t.support > 0 AND t.support < 20
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM (
      SELECT
        s.item AS item,
        s.number AS hits
      FROM (
        SELECT
          r.item AS item,
          CAST(SUM(BIT_COUNT(r.bits)) AS BIGINT) AS number
        FROM check_secret AS r
        WHERE
          r.bits <> 0
        GROUP BY
          r.item
      ) AS s
    ) AS x
    CROSS JOIN (
      SELECT
        COUNT(*) AS support
      FROM check_key AS r
    ) AS t
    WHERE
      x.hits * 5 > 2 * t.support
  ) AS f
) AS v;

-- coherence-persons
-- check_verdict: computes the checker's answer again: the statement fails unless the promise holds
SELECT
  CAST(CASE
    WHEN v.faults = 0
    THEN '1'
    ELSE CAST(v.faults AS TEXT) || ' faults: the release does not keep its promise'
  END AS INT) AS kept
FROM (
  SELECT
    CAST(COALESCE(SUM(f.faults), 0) AS BIGINT) AS faults
  FROM (
    SELECT
      COUNT(*) AS faults
    FROM (
      SELECT
        COUNT(*) AS support,
        COUNT(DISTINCT r.person) AS persons
      FROM check_key AS r
    ) AS t
    WHERE
      t.support > 0 AND t.persons < 20
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM (
      SELECT
        s.item AS item,
        s.number AS hits,
        s.persons AS persons
      FROM (
        SELECT
          r.item AS item,
          CAST(SUM(BIT_COUNT(r.bits)) AS BIGINT) AS number,
          COUNT(*) AS persons
        FROM check_secret AS r
        WHERE
          r.bits <> 0
        GROUP BY
          r.item
      ) AS s
    ) AS x
    CROSS JOIN (
      SELECT
        COUNT(*) AS support,
        COUNT(DISTINCT r.person) AS persons
      FROM check_key AS r
    ) AS t
    WHERE
      (
        x.hits * 5 > 2 * t.support OR x.persons * 5 > 2 * t.persons
      )
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_set_1 AS t
    WHERE
      t.persons < 20
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_suspect_1 AS s
    JOIN check_set_1 AS t
      ON t.id = s.id
    WHERE
      (
        s.hits * 5 > 2 * t.support OR s.persons * 5 > 2 * t.persons
      )
    UNION ALL
    SELECT
      CASE WHEN a.n = b.n THEN 0 ELSE 1 END AS faults
    FROM (
      SELECT
        COUNT(*) AS n
      FROM check_set_1 AS r
    ) AS a
    CROSS JOIN (
      SELECT
        COUNT(*) AS n
      FROM check_fine_1 AS r
    ) AS b
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_set_2 AS t
    WHERE
      t.persons < 20
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_suspect_2 AS s
    JOIN check_set_2 AS t
      ON t.id = s.id
    WHERE
      (
        s.hits * 5 > 2 * t.support OR s.persons * 5 > 2 * t.persons
      )
    UNION ALL
    SELECT
      CASE WHEN a.n = b.n THEN 0 ELSE 1 END AS faults
    FROM (
      SELECT
        COUNT(*) AS n
      FROM check_set_2 AS r
    ) AS a
    CROSS JOIN (
      SELECT
        COUNT(*) AS n
      FROM check_fine_2 AS r
    ) AS b
  ) AS f
) AS v;

-- permutation
-- check_verdict: computes the checker's answer again: the statement fails unless the promise holds
SELECT
  CAST(CASE
    WHEN v.faults = 0
    THEN '1'
    ELSE CAST(v.faults AS TEXT) || ' faults: the release does not keep its promise'
  END AS INT) AS kept
FROM (
  SELECT
    CAST(COALESCE(SUM(f.faults), 0) AS BIGINT) AS faults
  FROM (
    SELECT
      COUNT(*) AS faults
    FROM check_fault AS f
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_count AS c
    LEFT JOIN check_size AS s
      ON s.number = c.number
    WHERE
      c.held * 4 > COALESCE(s.size, 0)
  ) AS f
) AS v;

-- k_anonymity
-- check_verdict: computes the checker's answer again: the statement fails unless the promise holds
SELECT
  CAST(CASE
    WHEN v.faults = 0
    THEN '1'
    ELSE CAST(v.faults AS TEXT) || ' faults: the release does not keep its promise'
  END AS INT) AS kept
FROM (
  SELECT
    CAST(COALESCE(SUM(f.faults), 0) AS BIGINT) AS faults
  FROM (
    SELECT
      COUNT(*) AS faults
    FROM check_class AS c
    WHERE
      c.transactions < 20
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_unlike_2 AS u
    UNION ALL
    SELECT
      CASE WHEN COALESCE(s.n, 0) = t.n THEN 0 ELSE 1 END AS faults
    FROM (
      SELECT
        CAST(SUM(c.transactions) AS BIGINT) AS n
      FROM check_class AS c
    ) AS s
    CROSS JOIN (
      SELECT
        COUNT(*) AS n
      FROM check_key AS r
    ) AS t
  ) AS f
) AS v;

-- k_anonymity-persons
-- check_verdict: computes the checker's answer again: the statement fails unless the promise holds
SELECT
  CAST(CASE
    WHEN v.faults = 0
    THEN '1'
    ELSE CAST(v.faults AS TEXT) || ' faults: the release does not keep its promise'
  END AS INT) AS kept
FROM (
  SELECT
    CAST(COALESCE(SUM(f.faults), 0) AS BIGINT) AS faults
  FROM (
    SELECT
      COUNT(*) AS faults
    FROM check_class AS c
    WHERE
      c.persons < 20
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_unlike_2 AS u
    UNION ALL
    SELECT
      CASE WHEN COALESCE(s.n, 0) = t.n THEN 0 ELSE 1 END AS faults
    FROM (
      SELECT
        CAST(SUM(c.transactions) AS BIGINT) AS n
      FROM check_class AS c
    ) AS s
    CROSS JOIN (
      SELECT
        COUNT(*) AS n
      FROM check_key AS r
    ) AS t
  ) AS f
) AS v;

-- km-reached
-- check_verdict: computes the checker's answer again: the statement fails unless the promise holds
SELECT
  CAST(CASE
    WHEN v.faults = 0
    THEN '1'
    ELSE CAST(v.faults AS TEXT) || ' faults: the release does not keep its promise'
  END AS INT) AS kept
FROM (
  SELECT
    CAST(COALESCE(SUM(f.faults), 0) AS BIGINT) AS faults
  FROM (
    SELECT
      COUNT(*) AS faults
    FROM check_set_1 AS s
    WHERE
      s.support < 20
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_set_2 AS s
    WHERE
      s.support < 20
  ) AS f
) AS v;

-- km-ended
-- check_verdict: computes the checker's answer again: the statement fails unless the promise holds
SELECT
  CAST(CASE
    WHEN v.faults = 0
    THEN '1'
    ELSE CAST(v.faults AS TEXT) || ' faults: the release does not keep its promise'
  END AS INT) AS kept
FROM (
  SELECT
    CAST(COALESCE(SUM(f.faults), 0) AS BIGINT) AS faults
  FROM (
    SELECT
      COUNT(*) AS faults
    FROM check_set_1 AS s
    WHERE
      s.support < 20
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_set_2 AS s
    WHERE
      s.support < 20
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM (
      SELECT
        h.tid AS tid
      FROM check_held AS h
      GROUP BY
        h.tid
      HAVING
        COUNT(*) > 2
    ) AS t
  ) AS f
) AS v;

-- km-persons
-- check_verdict: computes the checker's answer again: the statement fails unless the promise holds
SELECT
  CAST(CASE
    WHEN v.faults = 0
    THEN '1'
    ELSE CAST(v.faults AS TEXT) || ' faults: the release does not keep its promise'
  END AS INT) AS kept
FROM (
  SELECT
    CAST(COALESCE(SUM(f.faults), 0) AS BIGINT) AS faults
  FROM (
    SELECT
      COUNT(*) AS faults
    FROM check_set_1 AS s
    WHERE
      s.support < 20
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_set_2 AS s
    WHERE
      s.support < 20
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_set_1 AS s
    LEFT JOIN check_few_1 AS f
      ON f.n1 = s.n1
    WHERE
      s.seen < 20 AND COALESCE(f.persons, 0) < 20
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_set_2 AS s
    LEFT JOIN check_few_2 AS f
      ON f.n1 = s.n1 AND f.n2 = s.n2
    WHERE
      s.seen < 20 AND COALESCE(f.persons, 0) < 20
  ) AS f
) AS v;

-- km_of_any_size
-- check_verdict: computes the checker's answer again: the statement fails unless the promise holds
SELECT
  CAST(CASE
    WHEN v.faults = 0
    THEN '1'
    ELSE CAST(v.faults AS TEXT) || ' faults: the release does not keep its promise'
  END AS INT) AS kept
FROM (
  SELECT
    CAST(COALESCE(SUM(f.faults), 0) AS BIGINT) AS faults
  FROM (
    SELECT
      COUNT(*) AS faults
    FROM check_kind AS c
    LEFT JOIN check_set_0 AS s
      ON s.tid = c.tid
    WHERE
      c.copies < 20 AND COALESCE(s.support, 0) < 20
    UNION ALL
    SELECT
      CASE WHEN COALESCE(s.n, 0) = t.n THEN 0 ELSE 1 END AS faults
    FROM (
      SELECT
        CAST(SUM(c.copies) AS BIGINT) AS n
      FROM check_kind AS c
    ) AS s
    CROSS JOIN (
      SELECT
        COUNT(*) AS n
      FROM (
        SELECT DISTINCT
          h.tid AS tid
        FROM check_held AS h
      ) AS r
    ) AS t
  ) AS f
) AS v;

-- km_of_any_size-persons
-- check_verdict: computes the checker's answer again: the statement fails unless the promise holds
SELECT
  CAST(CASE
    WHEN v.faults = 0
    THEN '1'
    ELSE CAST(v.faults AS TEXT) || ' faults: the release does not keep its promise'
  END AS INT) AS kept
FROM (
  SELECT
    CAST(COALESCE(SUM(f.faults), 0) AS BIGINT) AS faults
  FROM (
    SELECT
      COUNT(*) AS faults
    FROM check_kind AS c
    LEFT JOIN check_set_0 AS s
      ON s.tid = c.tid
    WHERE
      c.persons < 20 AND COALESCE(s.persons, 0) < 20
    UNION ALL
    SELECT
      CASE WHEN COALESCE(s.n, 0) = t.n THEN 0 ELSE 1 END AS faults
    FROM (
      SELECT
        CAST(SUM(c.copies) AS BIGINT) AS n
      FROM check_kind AS c
    ) AS s
    CROSS JOIN (
      SELECT
        COUNT(*) AS n
      FROM (
        SELECT DISTINCT
          h.tid AS tid
        FROM check_held AS h
      ) AS r
    ) AS t
  ) AS f
) AS v;

-- uncertainty-reached
-- check_verdict: computes the checker's answer again: the statement fails unless the promise holds
SELECT
  CAST(CASE
    WHEN v.faults = 0
    THEN '1'
    ELSE CAST(v.faults AS TEXT) || ' faults: the release does not keep its promise'
  END AS INT) AS kept
FROM (
  SELECT
    CAST(COALESCE(SUM(f.faults), 0) AS BIGINT) AS faults
  FROM (
    SELECT
      j.unsafe AS faults
    FROM check_judged_1 AS j
    UNION ALL
    SELECT
      j.unsafe AS faults
    FROM check_judged_2 AS j
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_cover AS c
    WHERE
      c.covers = 0 AND c.repeats = 0 AND c.step = 1 AND c.known <= 2
  ) AS f
) AS v;

-- uncertainty-ended
-- check_verdict: computes the checker's answer again: the statement fails unless the promise holds
SELECT
  CAST(CASE
    WHEN v.faults = 0
    THEN '1'
    ELSE CAST(v.faults AS TEXT) || ' faults: the release does not keep its promise'
  END AS INT) AS kept
FROM (
  SELECT
    CAST(COALESCE(SUM(f.faults), 0) AS BIGINT) AS faults
  FROM (
    SELECT
      j.unsafe AS faults
    FROM check_judged_1 AS j
    UNION ALL
    SELECT
      j.unsafe AS faults
    FROM check_judged_2 AS j
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_cover AS c
    WHERE
      c.covers = 0 AND c.repeats = 0 AND c.step = 1 AND c.known <= 9
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_growing_2 AS g
  ) AS f
) AS v;

-- uncertainty-persons
-- check_verdict: computes the checker's answer again: the statement fails unless the promise holds
SELECT
  CAST(CASE
    WHEN v.faults = 0
    THEN '1'
    ELSE CAST(v.faults AS TEXT) || ' faults: the release does not keep its promise'
  END AS INT) AS kept
FROM (
  SELECT
    CAST(COALESCE(SUM(f.faults), 0) AS BIGINT) AS faults
  FROM (
    SELECT
      j.unsafe AS faults
    FROM check_judged_1 AS j
    UNION ALL
    SELECT
      j.unsafe AS faults
    FROM check_judged_2 AS j
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM check_cover AS c
    WHERE
      c.covers = 0 AND c.repeats = 0 AND c.step = 1 AND c.known <= 2
    UNION ALL
    SELECT
      CASE WHEN a.n = b.n THEN 0 ELSE 1 END AS faults
    FROM (
      SELECT
        COUNT(*) AS n
      FROM check_key AS r
    ) AS a
    CROSS JOIN (
      SELECT
        COUNT(*) AS n
      FROM check_person AS r
    ) AS b
  ) AS f
) AS v;

-- hidden-below
-- check_verdict: computes the checker's answer again: the statement fails unless the promise holds
SELECT
  CAST(CASE
    WHEN v.faults = 0
    THEN '1'
    ELSE CAST(v.faults AS TEXT) || ' faults: the release does not keep its promise'
  END AS INT) AS kept
FROM (
  SELECT
    CAST(COALESCE(SUM(f.faults), 0) AS BIGINT) AS faults
  FROM (
    SELECT
      COUNT(*) AS faults
    FROM check_change AS c
    WHERE
      c.added > 0 OR c.stray > 0
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM (
      SELECT
        p.pattern AS pattern,
        COALESCE(w.support, 0) AS was,
        COALESCE(i.support, 0) AS stays
      FROM (
        SELECT DISTINCT
          pattern
        FROM check_pattern
      ) AS p
      LEFT JOIN (
        SELECT
          pattern,
          CAST(SUM(BIT_COUNT(bits)) AS BIGINT) AS support
        FROM check_cohort
        GROUP BY
          pattern
      ) AS w
        ON w.pattern = p.pattern
      LEFT JOIN (
        SELECT
          pattern,
          CAST(SUM(BIT_COUNT(bits)) AS BIGINT) AS support
        FROM check_left
        GROUP BY
          pattern
      ) AS i
        ON i.pattern = p.pattern
    ) AS s
    WHERE
      NOT (
        s.stays < 20
      )
    UNION ALL
    SELECT
      CASE WHEN COUNT(DISTINCT p.pattern) = 3 THEN 0 ELSE 1 END AS faults
    FROM check_pattern AS p
  ) AS f
) AS v;

-- hidden-shares
-- check_verdict: computes the checker's answer again: the statement fails unless the promise holds
SELECT
  CAST(CASE
    WHEN v.faults = 0
    THEN '1'
    ELSE CAST(v.faults AS TEXT) || ' faults: the release does not keep its promise'
  END AS INT) AS kept
FROM (
  SELECT
    CAST(COALESCE(SUM(f.faults), 0) AS BIGINT) AS faults
  FROM (
    SELECT
      COUNT(*) AS faults
    FROM check_change AS c
    WHERE
      c.added > 0 OR c.stray > 0
    UNION ALL
    SELECT
      COUNT(*) AS faults
    FROM (
      SELECT
        p.pattern AS pattern,
        COALESCE(w.support, 0) AS was,
        COALESCE(i.support, 0) AS stays
      FROM (
        SELECT DISTINCT
          pattern
        FROM check_pattern
      ) AS p
      LEFT JOIN (
        SELECT
          pattern,
          CAST(SUM(BIT_COUNT(bits)) AS BIGINT) AS support
        FROM check_cohort
        GROUP BY
          pattern
      ) AS w
        ON w.pattern = p.pattern
      LEFT JOIN (
        SELECT
          pattern,
          CAST(SUM(BIT_COUNT(bits)) AS BIGINT) AS support
        FROM check_left
        GROUP BY
          pattern
      ) AS i
        ON i.pattern = p.pattern
    ) AS s
    WHERE
      NOT (
        (
          s.pattern IN (0, 2) AND s.stays * 2 <= s.was
        )
        OR (
          s.pattern IN (1) AND s.stays <= 0 * s.was
        )
      )
    UNION ALL
    SELECT
      CASE WHEN COUNT(DISTINCT p.pattern) = 3 THEN 0 ELSE 1 END AS faults
    FROM check_pattern AS p
  ) AS f
) AS v;

-- renaming-items
-- check_verdict: computes the checker's answer again: the statement fails unless the promise holds
SELECT
  CAST(CASE
    WHEN v.faults = 0
    THEN '1'
    ELSE CAST(v.faults AS TEXT) || ' faults: the release does not keep its promise'
  END AS INT) AS kept
FROM (
  SELECT
    CAST(COALESCE(SUM(f.faults), 0) AS BIGINT) AS faults
  FROM (
    SELECT
      2 * p.pairs - p.codes - p.names AS faults
    FROM check_pairs AS p
    UNION ALL
    SELECT
      o.lost + o.added AS faults
    FROM check_occurrences AS o
  ) AS f
) AS v;

-- renaming-rows
-- check_verdict: computes the checker's answer again: the statement fails unless the promise holds
SELECT
  CAST(CASE
    WHEN v.faults = 0
    THEN '1'
    ELSE CAST(v.faults AS TEXT) || ' faults: the release does not keep its promise'
  END AS INT) AS kept
FROM (
  SELECT
    CAST(COALESCE(SUM(f.faults), 0) AS BIGINT) AS faults
  FROM (
    SELECT
      2 * p.pairs - p.codes - p.names AS faults
    FROM check_pairs AS p
    UNION ALL
    SELECT
      o.lost + o.added AS faults
    FROM check_occurrences AS o
    UNION ALL
    SELECT
      r.changed AS faults
    FROM check_rows AS r
  ) AS f
) AS v;
