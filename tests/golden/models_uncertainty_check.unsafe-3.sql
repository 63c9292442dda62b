-- check_unsafe_3: the worst of what is inferred
WITH worst AS (
  SELECT
    ROW_NUMBER() OVER (
      ORDER BY (
        r.hits * 1000000000 - (
          r.hits * 1000000000
        ) % r.support
      ) / r.support DESC, r.hits DESC, r.rule
    ) AS place,
    CAST((
      r.rule - r.rule % 2654435761
    ) / 2654435761 AS BIGINT) AS id,
    r.rule % 2654435761 AS secret,
    r.hits AS hits,
    r.support AS support
  FROM (
    SELECT
      s.id * 2654435761 + w.secret AS rule,
      s.support AS support,
      COUNT(*) AS hits
    FROM check_witness_3 AS w
    JOIN check_set_3 AS s
      ON s.parent = w.parent AND s.item = w.item
    GROUP BY
      s.id * 2654435761 + w.secret,
      s.support
  ) AS r
  WHERE
    r.hits * 10 > 7 * r.support
), part_3 AS (
  SELECT
    b.place AS place,
    s.item AS item,
    s.parent AS id
  FROM worst AS b
  JOIN check_set_3 AS s
    ON s.id = b.id
  WHERE
    b.place <= 20
), part_2 AS (
  SELECT
    b.place AS place,
    s.item AS item,
    s.parent AS id
  FROM part_3 AS b
  JOIN check_set_2 AS s
    ON s.id = b.id
  WHERE
    b.place <= 20
), part_1 AS (
  SELECT
    b.place AS place,
    s.item AS item,
    s.parent AS id
  FROM part_2 AS b
  JOIN check_set_1 AS s
    ON s.id = b.id
  WHERE
    b.place <= 20
)
SELECT
  w.place AS place,
  w.hits AS hits,
  w.support AS support,
  x.label AS secret,
  i.label AS item
FROM worst AS w
JOIN (
  SELECT
    p.place AS place,
    p.item AS item
  FROM part_3 AS p
  UNION ALL
  SELECT
    p.place AS place,
    p.item AS item
  FROM part_2 AS p
  UNION ALL
  SELECT
    p.place AS place,
    p.item AS item
  FROM part_1 AS p
) AS k
  ON k.place = w.place
JOIN check_item AS x
  ON x.item = w.secret
JOIN check_item AS i
  ON i.item = k.item
WHERE
  w.place <= 20
ORDER BY
  w.place,
  i.label;
