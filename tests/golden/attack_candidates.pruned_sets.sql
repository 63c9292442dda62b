-- set_pair_2: every item of a matched itemset is matched with one of its partner
SELECT
  n.known AS known,
  n.mined AS mined
FROM (
  SELECT
    c.known AS known,
    c.mined AS mined,
    c.choices AS choices,
    c.rivals AS rivals,
    MIN(c.choices) OVER (PARTITION BY c.mined) AS fewest_choices,
    MIN(c.rivals) OVER (PARTITION BY c.known) AS fewest_rivals
  FROM (
    SELECT
      p.known AS known,
      p.mined AS mined,
      COUNT(*) OVER (PARTITION BY p.known) AS choices,
      COUNT(*) OVER (PARTITION BY p.mined) AS rivals
    FROM (
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
        COUNT(DISTINCT c.item) = MIN(k.size) AND COUNT(DISTINCT d.item) = MIN(k.size)
    ) AS p
  ) AS c
) AS n
WHERE
  (
    n.choices = 1 OR n.fewest_choices > 1
  )
  AND (
    n.rivals = 1 OR n.fewest_rivals > 1
  );
