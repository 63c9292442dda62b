-- check_whole: secrets, and all else that their transactions hold
WITH one AS (
  SELECT
    s.place AS place,
    s.tid AS tid,
    s.item AS secret,
    s.size AS size,
    MIN(t.item) AS rarest
  FROM check_secret AS s
  JOIN check_told AS t
    ON t.tid = s.tid AND t.item <> s.item
  WHERE
    s.size > 2
  GROUP BY
    s.place,
    s.tid,
    s.item,
    s.size
), two AS (
  SELECT
    o.place AS place,
    o.tid AS tid,
    o.secret AS secret,
    o.size AS size,
    o.rarest AS rarest,
    MIN(t.item) AS second
  FROM one AS o
  JOIN check_item AS i
    ON i.item = o.rarest
  JOIN check_told AS t
    ON t.tid = o.tid AND t.item > o.rarest AND t.item <> o.secret
  WHERE
    i.support <= (
      CAST(8 AS BIGINT) << CAST(LEAST(o.size, 32) AS INT)
    )
  GROUP BY
    o.place,
    o.tid,
    o.secret,
    o.size,
    o.rarest
)
SELECT
  ROW_NUMBER() OVER (ORDER BY w.place) - 1 AS whole,
  w.tid AS tid,
  w.secret AS secret,
  w.size - 1 AS known,
  w.rarest AS rarest,
  w.second AS second
FROM two AS w;
