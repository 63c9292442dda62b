-- check_fine_1: sets of 1 that do not violate
SELECT
  t.id AS id,
  t.parent AS parent,
  t.item AS item
FROM check_set_1 AS t
WHERE
  t.support >= 20
  AND NOT EXISTS(
    SELECT
      1 AS one
    FROM check_suspect_1 AS s
    WHERE
      s.id = t.id AND s.hits * 5 > 2 * t.support
  );
