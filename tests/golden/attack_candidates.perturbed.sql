-- sought: an experiment's itemsets, with noise in their frequencies
SELECT
  k.id AS id,
  k.size AS size,
  n.nano AS nano
FROM (
  SELECT
    CAST(v.id AS INT) AS id,
    CAST(v.nano AS BIGINT) AS nano
  FROM (VALUES
    (0, 500),
    (1, -7)) AS v(id, nano)
) AS n
JOIN known_set AS k
  ON k.id = n.id;
