-- general_3: the transactions as they would be published
SELECT
  h.tid AS tid,
  h.node AS node,
  g.weight AS weight
FROM (
  SELECT DISTINCT
    o.tid AS tid,
    r.node AS node
  FROM occurrence AS o
  JOIN recoded_3 AS r
    ON r.item = o.item
) AS h
JOIN (
  SELECT
    MIN(t.tid) AS tid,
    COUNT(*) AS weight
  FROM (
    SELECT
      o.tid AS tid,
      COALESCE(
        BIT_OR(
          CASE
            WHEN q.place >= 0 AND q.place < 62
            THEN CAST(1 AS BIGINT) << CAST(q.place - 0 AS INT)
          END
        ),
        0
      ) AS word_0,
      COALESCE(
        BIT_OR(
          CASE
            WHEN q.place >= 62 AND q.place < 124
            THEN CAST(1 AS BIGINT) << CAST(q.place - 62 AS INT)
          END
        ),
        0
      ) AS word_1
    FROM occurrence AS o
    JOIN (
      SELECT
        r.item AS item,
        DENSE_RANK() OVER (ORDER BY r.node) - 1 AS place
      FROM recoded_3 AS r
    ) AS q
      ON q.item = o.item
    GROUP BY
      o.tid
  ) AS t
  GROUP BY
    t.word_0,
    t.word_1
) AS g
  ON g.tid = h.tid;
