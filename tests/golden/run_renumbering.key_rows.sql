SELECT
  n.id AS id,
  n.number AS number
FROM renumbered AS n;
