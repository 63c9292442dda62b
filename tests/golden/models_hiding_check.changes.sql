-- check_change: what the release has more, and what less
SELECT
  g.cell AS cell,
  0 AS added,
  BIT_COUNT(g.bits) AS removed,
  BIT_COUNT(g.bits - (
    g.bits & COALESCE(e.bits, 0)
  )) AS stray
FROM (
  SELECT
    w.cell AS cell,
    w.bits - (
      w.bits & COALESCE(i.bits, 0)
    ) AS bits
  FROM check_was AS w
  LEFT JOIN check_is AS i
    ON i.cell = w.cell
) AS g
LEFT JOIN check_excused AS e
  ON e.cell = g.cell
WHERE
  g.bits <> 0
UNION ALL
SELECT
  m.cell AS cell,
  BIT_COUNT(m.bits) AS added,
  0 AS removed,
  0 AS stray
FROM (
  SELECT
    i.cell AS cell,
    i.bits - (
      i.bits & COALESCE(w.bits, 0)
    ) AS bits
  FROM check_is AS i
  LEFT JOIN check_was AS w
    ON w.cell = i.cell
) AS m
WHERE
  m.bits <> 0;
