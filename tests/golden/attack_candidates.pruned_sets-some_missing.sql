-- set_pair_2: every item of a matched itemset is matched with one of its partner
SELECT
  p.known AS known,
  p.mined AS mined
FROM set_pair_1 AS p
JOIN known_set AS k
  ON k.id = p.known
JOIN known_member AS c
  ON c.id = p.known
JOIN mined_member AS d
  ON d.id = p.mined
JOIN item_pair_1 AS i
  ON i.known = c.item AND i.mined = d.item
GROUP BY
  p.known,
  p.mined
HAVING
  COUNT(DISTINCT c.item) = MIN(k.size) AND COUNT(DISTINCT d.item) = MIN(k.size);
