-- check_occurrences: every item is there by its code, and nothing else
SELECT
  (
    SELECT
      COUNT(*)
    FROM check_before
  ) AS occurrences,
  (
    SELECT
      COUNT(*)
    FROM check_before AS b
    WHERE
      NOT EXISTS(
        SELECT
          1 AS one
        FROM pairs AS p
        JOIN check_after AS a
          ON a.name = p.code
        WHERE
          p.name = b.name AND a.place = b.place
      )
  ) AS lost,
  (
    SELECT
      COUNT(*)
    FROM check_after AS a
    WHERE
      NOT EXISTS(
        SELECT
          1 AS one
        FROM pairs AS p
        JOIN check_before AS b
          ON b.name = p.name
        WHERE
          p.code = a.name AND b.place = a.place
      )
  ) AS added;
