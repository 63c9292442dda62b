-- check_growing_3: what could still be told by who knows more
WITH witness AS (
  SELECT
    s.id AS id,
    w.secret AS secret,
    s.id * 2654435761 + w.secret AS rule,
    w.item AS item,
    w.tid AS tid,
    w.rest AS rest,
    COALESCE(c.covers, 0) AS covers
  FROM check_witness_3 AS w
  JOIN check_set_3 AS s
    ON s.parent = w.parent AND s.item = w.item
  LEFT JOIN check_cover AS c
    ON c.tid = w.tid AND c.secret = w.secret
), doubtful AS (
  SELECT DISTINCT
    p.rule AS rule
  FROM (
    SELECT
      w.rule AS rule,
      w.covers AS covers,
      ROW_NUMBER() OVER (PARTITION BY w.rule ORDER BY w.covers) AS place
    FROM witness AS w
  ) AS p
  WHERE
    p.place * 3 > p.covers * 7
)
SELECT
  w.id AS id,
  w.secret AS secret,
  w.item AS item,
  w.tid AS tid,
  w.rest AS rest
FROM witness AS w
JOIN doubtful AS d
  ON d.rule = w.rule
WHERE
  w.rest > 0;
