-- check_uncovered: the shortest of what is inferred with certainty
WITH worst AS (
  SELECT
    ROW_NUMBER() OVER (ORDER BY c.known, c.support DESC, c.tid, c.secret) AS place,
    c.tid AS tid,
    c.secret AS secret,
    c.support AS hits,
    c.support AS support
  FROM check_cover AS c
  WHERE
    c.covers = 0 AND c.repeats = 0 AND c.known <= 5
), part AS (
  SELECT
    w.place AS place,
    t.item AS item
  FROM worst AS w
  JOIN check_told AS t
    ON t.tid = w.tid AND t.item <> w.secret
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
  FROM part AS p
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
