-- item_pair_0: a name and a code of about the same frequency
SELECT
  k.item AS known,
  m.item AS mined
FROM (
  SELECT
    i.item AS item,
    COALESCE(s.nano - 1001, 0) AS low,
    COALESCE(s.nano + 1001, 1000000000) AS high
  FROM (
    SELECT DISTINCT
      c.item AS item
    FROM known_member AS c
    JOIN known_set AS u
      ON u.id = c.id
  ) AS i
  LEFT JOIN (
    SELECT
      c.item AS item,
      u.nano AS nano
    FROM known_set AS u
    JOIN known_member AS c
      ON c.id = u.id
    WHERE
      u.size = 1
  ) AS s
    ON s.item = i.item
) AS k
JOIN (
  SELECT
    c.item AS item,
    u.nano AS nano
  FROM mined_set AS u
  JOIN mined_member AS c
    ON c.id = u.id
  WHERE
    u.size = 1
) AS m
  ON m.nano >= k.low AND m.nano <= k.high;
