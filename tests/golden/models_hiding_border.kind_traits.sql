-- kind_traits: what each kind is judged by
SELECT
  k.kind AS kind,
  t.trait AS trait
FROM kind AS k
JOIN trait AS t
  ON t.tid = k.tid
GROUP BY
  k.kind,
  t.trait
ORDER BY
  kind,
  trait;
