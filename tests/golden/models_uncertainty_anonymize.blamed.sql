-- blamed: whose suppression would stop each rule
SELECT
  u.part AS part,
  u.secret AS secret,
  CASE f.place WHEN 1 THEN a.p_1 WHEN 2 THEN a.p_2 WHEN 3 THEN a.p_3 END AS code,
  u.k_0 AS k_0,
  u.k_1 AS k_1
FROM unsafe AS u
JOIN counted AS c
  ON c.part = u.part AND c.k_0 = u.k_0 AND c.k_1 = u.k_1
JOIN arranged AS a
  ON a.tid = CAST((
    c.example - c.example % 8
  ) / 8 AS BIGINT)
JOIN facet AS f
  ON f.mask = c.example % 8;
