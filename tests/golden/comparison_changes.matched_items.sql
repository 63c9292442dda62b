-- matched_item: the same name is the same item
SELECT
  o.item AS item,
  CAST(o.name AS TEXT) AS label,
  o.support AS before,
  COALESCE(r.support, 0) AS after,
  r.item AS released
FROM run.main.item AS o
LEFT JOIN item AS r
  ON CAST(r.name AS TEXT) = CAST(o.name AS TEXT)
UNION ALL
SELECT
  CAST(1000 + ROW_NUMBER() OVER (ORDER BY r.item) - 1 AS INT) AS item,
  CAST(r.name AS TEXT) AS label,
  0 AS before,
  r.support AS after,
  r.item AS released
FROM item AS r
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM run.main.item AS o
    WHERE
      CAST(o.name AS TEXT) = CAST(r.name AS TEXT)
  );
