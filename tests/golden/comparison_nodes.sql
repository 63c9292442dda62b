-- above
-- above: each row is a node, and itself or a node above it
SELECT DISTINCT
  l.node AS node,
  u.node AS above
FROM path AS l
JOIN path AS u
  ON u.item = l.item AND u.level >= l.level
WHERE
  u.node <> 99;

-- spread
-- spread: each row is a transaction, and an item of it or a node above one
SELECT DISTINCT
  o.tid AS tid,
  a.above AS item
FROM occurrence AS o
JOIN above AS a
  ON a.node = o.item;

-- released_spread-items
-- spread: each row is a transaction, and a node that it publishes or one above
SELECT DISTINCT
  o.tid AS tid,
  a.above AS item
FROM occurrence AS o
JOIN item AS i
  ON i.item = o.item
JOIN run.main.node AS n
  ON CAST(i.name AS TEXT) = n.label AND n.level = 0
JOIN run.main.above AS a
  ON a.node = n.node;

-- released_spread-levels
-- spread: each row is a transaction, and a node that it publishes or one above
SELECT DISTINCT
  o.tid AS tid,
  a.above AS item
FROM occurrence AS o
JOIN item AS i
  ON i.item = o.item
JOIN run.main.node AS n
  ON CAST(i.name AS TEXT) = CAST(n.level AS TEXT) || ' ' || n.label
JOIN run.main.above AS a
  ON a.node = n.node;

-- in_common
-- rules_learned: 
SELECT
  (
    SELECT
      COUNT(*) AS n
    FROM (
      SELECT
        p.item_1 AS item_1,
        p.item_2 AS item_2
      FROM (
        SELECT
          f.item_1 AS item_1,
          f.item_2 AS item_2,
          f.support AS support
        FROM learned_2 AS f
        WHERE
          NOT EXISTS(
            SELECT
              1 AS one
            FROM run.main.above AS a
            WHERE
              a.node = f.item_1 AND a.above = f.item_2
          )
          AND NOT EXISTS(
            SELECT
              1 AS one
            FROM run.main.above AS a
            WHERE
              a.node = f.item_2 AND a.above = f.item_1
          )
      ) AS p
      JOIN learned_1 AS s
        ON s.item_1 = p.item_1
      WHERE
        p.support * 2 >= s.support
      UNION ALL
      SELECT
        p.item_2 AS item_1,
        p.item_1 AS item_2
      FROM (
        SELECT
          f.item_1 AS item_1,
          f.item_2 AS item_2,
          f.support AS support
        FROM learned_2 AS f
        WHERE
          NOT EXISTS(
            SELECT
              1 AS one
            FROM run.main.above AS a
            WHERE
              a.node = f.item_1 AND a.above = f.item_2
          )
          AND NOT EXISTS(
            SELECT
              1 AS one
            FROM run.main.above AS a
            WHERE
              a.node = f.item_2 AND a.above = f.item_1
          )
      ) AS p
      JOIN learned_1 AS s
        ON s.item_1 = p.item_2
      WHERE
        p.support * 2 >= s.support
    ) AS b
  ) AS before,
  (
    SELECT
      COUNT(*) AS n
    FROM (
      SELECT
        0 AS item_1,
        0 AS item_2
      WHERE
        FALSE
    ) AS a
  ) AS after,
  (
    SELECT
      COUNT(*) AS n
    FROM (
      SELECT
        p.item_1 AS item_1,
        p.item_2 AS item_2
      FROM (
        SELECT
          f.item_1 AS item_1,
          f.item_2 AS item_2,
          f.support AS support
        FROM learned_2 AS f
        WHERE
          NOT EXISTS(
            SELECT
              1 AS one
            FROM run.main.above AS a
            WHERE
              a.node = f.item_1 AND a.above = f.item_2
          )
          AND NOT EXISTS(
            SELECT
              1 AS one
            FROM run.main.above AS a
            WHERE
              a.node = f.item_2 AND a.above = f.item_1
          )
      ) AS p
      JOIN learned_1 AS s
        ON s.item_1 = p.item_1
      WHERE
        p.support * 2 >= s.support
      UNION ALL
      SELECT
        p.item_2 AS item_1,
        p.item_1 AS item_2
      FROM (
        SELECT
          f.item_1 AS item_1,
          f.item_2 AS item_2,
          f.support AS support
        FROM learned_2 AS f
        WHERE
          NOT EXISTS(
            SELECT
              1 AS one
            FROM run.main.above AS a
            WHERE
              a.node = f.item_1 AND a.above = f.item_2
          )
          AND NOT EXISTS(
            SELECT
              1 AS one
            FROM run.main.above AS a
            WHERE
              a.node = f.item_2 AND a.above = f.item_1
          )
      ) AS p
      JOIN learned_1 AS s
        ON s.item_1 = p.item_2
      WHERE
        p.support * 2 >= s.support
    ) AS b
    JOIN (
      SELECT
        0 AS item_1,
        0 AS item_2
      WHERE
        FALSE
    ) AS a
      ON a.item_1 = b.item_1 AND a.item_2 = b.item_2
  ) AS kept;

-- in_common-specialized
-- rules_specialized: 
SELECT
  (
    SELECT
      COUNT(*) AS n
    FROM (
      SELECT
        r.item_1 AS item_1,
        r.item_2 AS item_2
      FROM (
        SELECT
          p.item_1 AS item_1,
          p.item_2 AS item_2
        FROM (
          SELECT
            f.item_1 AS item_1,
            f.item_2 AS item_2,
            f.support AS support
          FROM learned_2 AS f
          WHERE
            NOT EXISTS(
              SELECT
                1 AS one
              FROM run.main.above AS a
              WHERE
                a.node = f.item_1 AND a.above = f.item_2
            )
            AND NOT EXISTS(
              SELECT
                1 AS one
              FROM run.main.above AS a
              WHERE
                a.node = f.item_2 AND a.above = f.item_1
            )
        ) AS p
        JOIN learned_1 AS s
          ON s.item_1 = p.item_1
        WHERE
          p.support * 2 >= s.support
        UNION ALL
        SELECT
          p.item_2 AS item_1,
          p.item_1 AS item_2
        FROM (
          SELECT
            f.item_1 AS item_1,
            f.item_2 AS item_2,
            f.support AS support
          FROM learned_2 AS f
          WHERE
            NOT EXISTS(
              SELECT
                1 AS one
              FROM run.main.above AS a
              WHERE
                a.node = f.item_1 AND a.above = f.item_2
            )
            AND NOT EXISTS(
              SELECT
                1 AS one
              FROM run.main.above AS a
              WHERE
                a.node = f.item_2 AND a.above = f.item_1
            )
        ) AS p
        JOIN learned_1 AS s
          ON s.item_1 = p.item_2
        WHERE
          p.support * 2 >= s.support
      ) AS r
      JOIN run.main.node AS n
        ON n.node = r.item_1 AND n.level = 0
      JOIN run.main.node AS m
        ON m.node = r.item_2 AND m.level = 0
    ) AS b
  ) AS before,
  (
    SELECT
      COUNT(*) AS n
    FROM (
      SELECT DISTINCT
        x.item AS item_1,
        y.item AS item_2
      FROM (
        SELECT
          p.item_1 AS item_1,
          p.item_2 AS item_2
        FROM (
          SELECT
            f.item_1 AS item_1,
            f.item_2 AS item_2,
            f.support AS support
          FROM learned_2 AS f
          WHERE
            NOT EXISTS(
              SELECT
                1 AS one
              FROM run.main.above AS a
              WHERE
                a.node = f.item_1 AND a.above = f.item_2
            )
            AND NOT EXISTS(
              SELECT
                1 AS one
              FROM run.main.above AS a
              WHERE
                a.node = f.item_2 AND a.above = f.item_1
            )
        ) AS p
        JOIN learned_1 AS s
          ON s.item_1 = p.item_1
        WHERE
          p.support * 2 >= s.support
        UNION ALL
        SELECT
          p.item_2 AS item_1,
          p.item_1 AS item_2
        FROM (
          SELECT
            f.item_1 AS item_1,
            f.item_2 AS item_2,
            f.support AS support
          FROM learned_2 AS f
          WHERE
            NOT EXISTS(
              SELECT
                1 AS one
              FROM run.main.above AS a
              WHERE
                a.node = f.item_1 AND a.above = f.item_2
            )
            AND NOT EXISTS(
              SELECT
                1 AS one
              FROM run.main.above AS a
              WHERE
                a.node = f.item_2 AND a.above = f.item_1
            )
        ) AS p
        JOIN learned_1 AS s
          ON s.item_1 = p.item_2
        WHERE
          p.support * 2 >= s.support
      ) AS r
      JOIN (
        SELECT DISTINCT
          n.node AS node
        FROM item AS i
        JOIN run.main.node AS n
          ON CAST(i.name AS TEXT) = CAST(n.level AS TEXT) || ' ' || n.label
      ) AS p
        ON p.node = r.item_1
      JOIN (
        SELECT DISTINCT
          n.node AS node
        FROM item AS i
        JOIN run.main.node AS n
          ON CAST(i.name AS TEXT) = CAST(n.level AS TEXT) || ' ' || n.label
      ) AS q
        ON q.node = r.item_2
      JOIN run.main.path AS x
        ON x.node = r.item_1
      JOIN run.main.path AS y
        ON y.node = r.item_2 AND y.item <> x.item
    ) AS a
  ) AS after,
  (
    SELECT
      COUNT(*) AS n
    FROM (
      SELECT
        r.item_1 AS item_1,
        r.item_2 AS item_2
      FROM (
        SELECT
          p.item_1 AS item_1,
          p.item_2 AS item_2
        FROM (
          SELECT
            f.item_1 AS item_1,
            f.item_2 AS item_2,
            f.support AS support
          FROM learned_2 AS f
          WHERE
            NOT EXISTS(
              SELECT
                1 AS one
              FROM run.main.above AS a
              WHERE
                a.node = f.item_1 AND a.above = f.item_2
            )
            AND NOT EXISTS(
              SELECT
                1 AS one
              FROM run.main.above AS a
              WHERE
                a.node = f.item_2 AND a.above = f.item_1
            )
        ) AS p
        JOIN learned_1 AS s
          ON s.item_1 = p.item_1
        WHERE
          p.support * 2 >= s.support
        UNION ALL
        SELECT
          p.item_2 AS item_1,
          p.item_1 AS item_2
        FROM (
          SELECT
            f.item_1 AS item_1,
            f.item_2 AS item_2,
            f.support AS support
          FROM learned_2 AS f
          WHERE
            NOT EXISTS(
              SELECT
                1 AS one
              FROM run.main.above AS a
              WHERE
                a.node = f.item_1 AND a.above = f.item_2
            )
            AND NOT EXISTS(
              SELECT
                1 AS one
              FROM run.main.above AS a
              WHERE
                a.node = f.item_2 AND a.above = f.item_1
            )
        ) AS p
        JOIN learned_1 AS s
          ON s.item_1 = p.item_2
        WHERE
          p.support * 2 >= s.support
      ) AS r
      JOIN run.main.node AS n
        ON n.node = r.item_1 AND n.level = 0
      JOIN run.main.node AS m
        ON m.node = r.item_2 AND m.level = 0
    ) AS b
    JOIN (
      SELECT DISTINCT
        x.item AS item_1,
        y.item AS item_2
      FROM (
        SELECT
          p.item_1 AS item_1,
          p.item_2 AS item_2
        FROM (
          SELECT
            f.item_1 AS item_1,
            f.item_2 AS item_2,
            f.support AS support
          FROM learned_2 AS f
          WHERE
            NOT EXISTS(
              SELECT
                1 AS one
              FROM run.main.above AS a
              WHERE
                a.node = f.item_1 AND a.above = f.item_2
            )
            AND NOT EXISTS(
              SELECT
                1 AS one
              FROM run.main.above AS a
              WHERE
                a.node = f.item_2 AND a.above = f.item_1
            )
        ) AS p
        JOIN learned_1 AS s
          ON s.item_1 = p.item_1
        WHERE
          p.support * 2 >= s.support
        UNION ALL
        SELECT
          p.item_2 AS item_1,
          p.item_1 AS item_2
        FROM (
          SELECT
            f.item_1 AS item_1,
            f.item_2 AS item_2,
            f.support AS support
          FROM learned_2 AS f
          WHERE
            NOT EXISTS(
              SELECT
                1 AS one
              FROM run.main.above AS a
              WHERE
                a.node = f.item_1 AND a.above = f.item_2
            )
            AND NOT EXISTS(
              SELECT
                1 AS one
              FROM run.main.above AS a
              WHERE
                a.node = f.item_2 AND a.above = f.item_1
            )
        ) AS p
        JOIN learned_1 AS s
          ON s.item_1 = p.item_2
        WHERE
          p.support * 2 >= s.support
      ) AS r
      JOIN (
        SELECT DISTINCT
          n.node AS node
        FROM item AS i
        JOIN run.main.node AS n
          ON CAST(i.name AS TEXT) = CAST(n.level AS TEXT) || ' ' || n.label
      ) AS p
        ON p.node = r.item_1
      JOIN (
        SELECT DISTINCT
          n.node AS node
        FROM item AS i
        JOIN run.main.node AS n
          ON CAST(i.name AS TEXT) = CAST(n.level AS TEXT) || ' ' || n.label
      ) AS q
        ON q.node = r.item_2
      JOIN run.main.path AS x
        ON x.node = r.item_1
      JOIN run.main.path AS y
        ON y.node = r.item_2 AND y.item <> x.item
    ) AS a
      ON a.item_1 = b.item_1 AND a.item_2 = b.item_2
  ) AS kept;
