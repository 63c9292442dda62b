-- check_match: who else holds all that comes with a secret
WITH candidate AS (
  SELECT
    w.whole AS whole,
    w.tid AS tid,
    w.secret AS secret,
    w.known AS known,
    w.second AS second,
    y.tid AS other,
    y.size AS size
  FROM check_whole AS w
  JOIN check_held AS x
    ON x.item = w.rarest AND x.tid <> w.tid
  JOIN check_held AS y
    ON y.place = x.tid * 2654435761 + w.second
  WHERE
    y.size >= w.known
), further AS (
  SELECT
    c.whole * 2654435761 + c.other AS pair,
    c.size AS size
  FROM candidate AS c
  JOIN check_told AS t
    ON t.tid = c.tid AND t.item > c.second AND t.item <> c.secret
  JOIN check_held AS h
    ON h.place = c.other * 2654435761 + t.item
  GROUP BY
    c.whole * 2654435761 + c.other,
    c.size,
    c.known
  HAVING
    COUNT(*) = c.known - 2
)
SELECT
  c.whole AS whole,
  c.other AS other,
  c.size AS size
FROM candidate AS c
WHERE
  c.known = 2
UNION ALL
SELECT
  CAST((
    f.pair - f.pair % 2654435761
  ) / 2654435761 AS BIGINT) AS whole,
  f.pair % 2654435761 AS other,
  f.size AS size
FROM further AS f;
