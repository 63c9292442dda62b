-- item_pair_2: every itemset of a matched item has a partner that holds its code
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
        i.known AS known,
        i.mined AS mined
      FROM item_pair_1 AS i
      JOIN (
        SELECT
          c.item AS item,
          COUNT(CASE WHEN u.size > 1 THEN 1 END) AS itemsets
        FROM known_set AS u
        JOIN known_member AS c
          ON c.id = u.id
        GROUP BY
          c.item
      ) AS k
        ON k.item = i.known
      JOIN (
        SELECT
          c.item AS item,
          COUNT(CASE WHEN u.size > 1 THEN 1 END) AS itemsets
        FROM mined_set AS u
        JOIN mined_member AS c
          ON c.id = u.id
        GROUP BY
          c.item
      ) AS m
        ON m.item = i.mined
      LEFT JOIN (
        SELECT
          c.item AS known_item,
          d.item AS mined_item,
          COUNT(DISTINCT p.known) AS of_known,
          COUNT(DISTINCT p.mined) AS of_mined
        FROM set_pair_2 AS p
        JOIN known_member AS c
          ON c.id = p.known
        JOIN mined_member AS d
          ON d.id = p.mined
        GROUP BY
          c.item,
          d.item
      ) AS s
        ON s.known_item = i.known AND s.mined_item = i.mined
      WHERE
        COALESCE(s.of_known, 0) = k.itemsets AND COALESCE(s.of_mined, 0) = m.itemsets
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
