-- renumbered: numbers whose order follows neither the ids nor the data
SELECT
  h.id AS id,
  CAST(ROW_NUMBER() OVER (ORDER BY h.hash, h.place) AS INT) AS number
FROM (
  SELECT
    p.id AS id,
    p.place AS place,
    MD5(e.secret || ':' || MD5(e.secret || ':' || CAST(p.place AS TEXT))) AS hash
  FROM (
    SELECT
      d.id AS id,
      ROW_NUMBER() OVER (ORDER BY d.id) AS place
    FROM (
      SELECT DISTINCT
        r."basket no" AS id
      FROM release AS r
    ) AS d
  ) AS p
  CROSS JOIN entropy AS e
) AS h
ORDER BY
  number;
