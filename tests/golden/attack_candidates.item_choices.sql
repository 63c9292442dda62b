-- item_choice: the codes that each name may have
SELECT
  p.known AS known,
  p.mined AS mined,
  COALESCE(s.nano - m.nano, 0) AS apart
FROM item_pair_2 AS p
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
  ON m.item = p.mined
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
  ON s.item = p.known
ORDER BY
  known,
  mined;
