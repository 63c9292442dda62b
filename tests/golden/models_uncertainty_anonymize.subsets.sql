-- subset: what an attacker can know, and what follows
SELECT
  a.tid AS shape,
  a.part AS part,
  a.weight AS weight,
  m.mask AS mask,
  CASE WHEN m.top > a.known THEN 1 ELSE 0 END AS telling,
  a.p_1 * m.c_0_1 + a.p_2 * m.c_0_2 + a.p_3 * m.c_0_3 AS k_0,
  a.p_1 * m.c_1_1 + a.p_2 * m.c_1_2 + a.p_3 * m.c_1_3 AS k_1
FROM arranged AS a
JOIN mask AS m
  ON m.top <= a.held
WHERE
  a.tid = a.alike;
