-- check_fine_2: sets of 2 that do not violate
SELECT
  t.id AS id,
  t.parent AS parent,
  t.item AS item
FROM check_set_2 AS t
WHERE
  t.support >= 20
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM check_suspect_2 AS s
    WHERE
      s.id = t.id AND s.hits * 5 > 2 * t.support
  );
